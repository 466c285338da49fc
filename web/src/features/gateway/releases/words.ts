import type { Release } from '../../../../../src/api/gateway-releases.ts'
import { type DialectName, dialectOf } from '../../../../../src/gateway/door.ts'

/** The name of what files of a release are written for. */
export const dialectTitle = (name: DialectName): string => dialectOf(name).title

/** Why a release was made, in one sentence. */
export const causeWords = (
  release: Pick<Release, 'trigger' | 'policyVersion' | 'versionLabel' | 'rolledBackTo'>,
): string =>
  ({
    policy: `The policy changed to version ${release.policyVersion}.`,
    publish: `Version ${release.versionLabel ?? ''} of the document is bound now.`,
    'exception-expired': 'An exception ended.',
    environment: 'Names or paths of the environment changed.',
    enforcer: 'A gateway of another engine was added.',
    compiler: 'A newer svc compiles the same policy and document otherwise.',
    rollback: 'A person rolled back to an earlier release.',
  })[release.trigger]

/** "+12 −3 lines", or that no line differs. */
export const linesWords = ({ added, removed }: { readonly added: number; readonly removed: number }): string =>
  added + removed === 0 ? 'No line differs' : `+${added.toLocaleString()} −${removed.toLocaleString()} lines`
