/** The files of a release for checks on real engines. */
import { compileRelease } from '../../src/gateway/compile/index.ts'
import type { DialectName } from '../../src/gateway/dialects/index.ts'
import type { Policy } from '../../src/gateway-policy/model.ts'

/**
 * Compiles a policy for an environment without hosts and base paths, beside the rule set that comes with the engine.
 * @param document the description that positive rules check; null where there is none
 */
export const releaseFiles = (policy: Policy, document: unknown, dialect: DialectName) =>
  compileRelease({
    policy,
    policyVersion: 1,
    environment: { id: 'e', slug: 'e', hostnames: [], basePaths: [] },
    document,
    dialect,
    releaseId: 'r',
    crs: 'bundled',
  }).files
