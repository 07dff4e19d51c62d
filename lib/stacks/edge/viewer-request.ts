import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';

/**
 * Runs in CloudFront before a request goes on: names the viewer's address, in the place of whatever the viewer sent under that
 * name. `CloudFront-Viewer-Address` would say the same, but the policy that leaves out `Host`, which both gateways demand,
 * does not add it, and passes on one that the viewer made up.
 */
export const VIEWER_REQUEST = `function handler(event) {
  var request = event.request;
  request.headers['${EDGE_HEADERS.viewerAddress}'] = { value: event.viewer.ip };
  return request;
}`;
