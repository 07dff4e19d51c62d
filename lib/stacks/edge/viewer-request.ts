import { EDGE_HEADERS } from '../../../shared/domain/basis/edge.ts';

/**
 * CloudFront Function that sets our own header with the viewer's IP address and overwrites any value that the viewer sent. The
 * header `CloudFront-Viewer-Address` cannot be used, because both gateways need the origin request policy that leaves out
 * `Host`. This policy passes on a forged header instead of adding a correct one.
 */
export const VIEWER_REQUEST = `function handler(event) {
  var request = event.request;
  request.headers['${EDGE_HEADERS.viewerAddress}'] = { value: event.viewer.ip };
  return request;
}`;
