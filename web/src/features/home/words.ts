import type { Activity, AttentionKind } from '../../../../src/api/home.ts'
import { count } from '../../parts/text.ts'

/** What a card is called, and what is said of it when it is empty. */
export const names: Record<AttentionKind, string> = {
  blocked: 'Blocked drafts',
  breaking: 'Breaking drafts',
  grades: 'Grades that fell or miss the policy',
  gateways: 'Gateways that stopped reporting',
  sunsets: 'Sunsets within 30 days',
  keys: 'Keys that expire within 30 days',
}

const verbs: Readonly<Record<string, string>> = {
  'version.imported': 'imported',
  'version.created': 'created the draft',
  'version.document-replaced': 'edited',
  'version.published': 'published',
  'version.published-by-force': 'force published',
  'review.requested': 'asked for a review of',
}
export const verbOf = ({ action }: Activity): string => verbs[action] ?? action

const severities = { breaking: 'breaking', 'non-breaking': 'safe changes', 'docs-only': 'docs only' } as const

/** What a publication changed; null for anything else. */
export const changeOf = ({ action, severity, initial }: Activity): string | null => {
  if (!action.startsWith('version.published')) return null
  if (initial) return 'first release'
  return severity === null ? 'no changes' : severities[severity]
}

const means = { web: 'web', token: 'command line', local: 'command line', key: 'key' } as const
export const meansOf = (it: Activity): string | null => (it.means === null ? null : means[it.means])

export const othersOf = ({ others }: Activity): string =>
  others === 0 ? '' : ` and ${count(others, 'other', 'others')}`

/** Kinds of attention that have no page of their own: their lists are views of this page. */
export const listedKinds = ['blocked', 'breaking', 'grades', 'sunsets'] as const satisfies readonly AttentionKind[]
export type ListedKind = (typeof listedKinds)[number]
