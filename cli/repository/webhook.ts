/** What the commands about webhooks of repositories share. */
import type { HookSubscription } from '../../src/api/repository-hooks.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { renderFacts } from '../table.ts'

export const secretOption = {
  'secret-stdin': {
    type: 'boolean',
    summary: 'read the secret of a webhook that you created yourself from standard input',
  },
} as const

/**
 * The secret on the first line of standard input; null where it is not asked for.
 * @throws SvcError `usage` where there is none
 */
export async function readHookSecret({ io }: Invocation<unknown, unknown>, fromInput: boolean): Promise<string | null> {
  if (!fromInput) return null
  const given =
    new TextDecoder()
      .decode(await io.stdin())
      .split(/\r?\n/, 1)[0]
      ?.trim() ?? ''
  if (given === '') throw new SvcError('usage', { reason: 'Missing secret: pipe it to --secret-stdin' })
  return given
}

/** A webhook as lines. */
export const renderHook = (it: HookSubscription): string =>
  renderFacts([
    ['address', it.url],
    ['events', it.events.join(', ')],
    ['state', it.state],
    ['secret', it.fingerprint],
    ['previous', it.previousFingerprint === null ? null : `${it.previousFingerprint} until ${it.graceUntil ?? ''}`],
    ['provider id', it.providerHookId],
    ['last delivery', it.lastDeliveryAt],
  ])
