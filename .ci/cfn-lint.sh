#!/usr/bin/env bash
# Runs cfn-lint on the templates that `npm run synth` has created for all environments, and on the variants that
# test/stacks/checks.test.ts has created. Templates that differ only in names, regions, CDK qualifiers, variables of functions,
# retention and deletion policies are checked once. Without Python, prints a message and does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.58.0

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! python3 -m venv "$scratch/venv" >/dev/null 2>&1 ||
  ! "$scratch/venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 15 "cfn-lint==$version" >/dev/null 2>&1; then
  echo 'cfn-lint is skipped: it needs Python 3 with venv, and PyPI'
  exit 0
fi

declare -A seen
all=(cdk.out/*otl*.template.json)
chosen=()
for template in "${all[@]}"; do
  environment=${template#cdk.out/}
  environment=${environment%%otl*}
  case $environment in
  core- | restored-) environment=eu region=eu-central-1 ;;
  sandbox | us) region=us-east-1 ;;
  eu) region=eu-central-1 ;;
  ca) region=ca-central-1 ;;
  au) region=ap-southeast-2 ;;
  jp) region=ap-northeast-1 ;;
  esac
  # CDK derives IDs, hashes and Name tags from the paths of stacks. Only the command `cdk` adds metadata.
  same=$(sed -E "/^   \"Metadata\": \{/,/^   \}/d; /\"(AREAS|CONSOLE_ORIGIN)\": \"/d; s/,$//
    s/AllowEventRule\w+/ID/g; s/-restored\b//g; s/\bcorp1\b/hnb659fds/g; s#\"$environment/otl#\"otl#
    s/$region/REGION/g; s/\b$environment\b|otl$environment/ENVIRONMENT/g; s/[0-9A-Fa-f]{8,}/HASH/g
    s/\"SMS_COUNTRIES\": \"[A-Z]+\"/COUNTRIES/
    s/\"(LOG_LEVEL|RetentionInDays|UpdateReplacePolicy|DeletionPolicy)\": [^,]+/\1/" "$template" | sha256sum)
  [ -z "${seen[$same]:-}" ] || continue
  seen[$same]=1
  chosen+=("$template")
done
echo "cfn-lint $version: ${#chosen[@]} of ${#all[@]} templates, the others are the same"
printf '%s\0' "${chosen[@]}" | xargs -0 -n 12 -P 2 "$scratch/venv/bin/cfn-lint"
