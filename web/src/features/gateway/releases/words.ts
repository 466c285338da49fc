import type { Release } from '../../../../../src/api/gateway-releases.ts'

type Engine = Release['targets'][number]['engine']

export const engineNames: Readonly<Record<Engine, string>> = {
  coraza: 'Coraza',
  'coraza-wasm': 'Coraza (WASM)',
  modsecurity: 'ModSecurity',
}

/** Why a release was made, in one sentence. */
export const causeWords = (it: Pick<Release, 'trigger' | 'policyVersion' | 'versionLabel' | 'rolledBackTo'>): string =>
  ({
    policy: `The policy changed to version ${it.policyVersion}.`,
    publish: `Version ${it.versionLabel ?? ''} of the document is bound now.`,
    'exception-expired': 'An exception ended.',
    environment: 'Names or paths of the environment changed.',
    enforcer: 'A gateway of another engine was added.',
    rollback: 'A person went back to an earlier release.',
  })[it.trigger]

/** "+12 −3 lines", or that no line differs. */
export const linesWords = ({ added, removed }: { readonly added: number; readonly removed: number }): string =>
  added + removed === 0 ? 'No line differs' : `+${added.toLocaleString()} −${removed.toLocaleString()} lines`
