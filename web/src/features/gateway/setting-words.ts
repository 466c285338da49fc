/** Settings of a policy in words, in place of the keys that the service has for them. */
import { groupOf, type PositiveCheck, positiveChecks } from '../../../../src/gateway-policy/door.ts'

export const checkNames: Readonly<Record<PositiveCheck, string>> = {
  unknownOperation: 'Unknown operation',
  method: 'Method',
  parameters: 'Parameters',
  undeclaredQuery: 'Undeclared query parameter',
  contentType: 'Media type of the body',
  body: 'JSON body',
  security: 'Credentials',
}

const presetNames: Readonly<Record<string, string>> = {
  tier: 'Tier',
  bot: 'Bots',
  rate: 'Rate limit',
  challenge: 'Challenge',
}

/** What has names of its own in a policy. */
interface Named {
  readonly rules: readonly { readonly id: string; readonly name: string }[]
  readonly exceptions: readonly {
    readonly id: string
    readonly scope: { readonly route: string | null; readonly path: string | null }
  }[]
}

/**
 * A setting in words.
 * @param setting as policies ("groups/sqli") or releases ("group:sqli") have it
 * @param named the policy whose rules and exceptions it may name; without it they are called what they are
 */
export function settingWords(setting: string, named?: Named): string {
  const [kind = '', id = ''] = setting.split(/[/:](.*)/s)
  switch (kind.replace(/s$/, '')) {
    case 'preset':
      return presetNames[id] ?? id
    case 'group':
      return groupOf(id)?.title ?? id
    case 'rule': {
      const rule = named?.rules.find((it) => it.id === id)
      return rule === undefined ? 'A custom rule' : `Rule “${rule.name}”`
    }
    case 'exception': {
      const scope = named?.exceptions.find((it) => it.id === id)?.scope
      return `Exception for ${scope?.route ?? scope?.path ?? 'a part of the requests'}`
    }
    case 'positive': {
      const check = positiveChecks.find((it) => it === id)
      return check === undefined ? id : `Document: ${checkNames[check]}`
    }
    default:
      return presetNames[setting] ?? setting
  }
}
