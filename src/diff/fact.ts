import type { Json, Path } from '../document/json.ts'
import type { Classification, Witness } from './change.ts'

/** What a fact or rule is about. */
export const areas = [
  'document',
  'operation',
  'webhook',
  'callback',
  'parameter',
  'body',
  'media-type',
  'status',
  'header',
  'link',
  'schema',
  'security',
  'server',
  'tool',
  'prompt',
  'argument',
  'resource',
  'remote',
  'package',
  'workflow',
] as const
export type Area = (typeof areas)[number]
export const actions = ['added', 'removed', 'changed', 'increased', 'decreased', 'widened', 'narrowed'] as const
export type Action = (typeof actions)[number]

/** What explains a change: the four words by which a rule is found. */
export interface Topic {
  readonly direction: 'request' | 'response' | null
  readonly area: Area
  /** What of it: "enum-value", "required", "itself". */
  readonly kind: string
  readonly action: Action
}

/** One difference, with both places, and what was decided about it; how it is told is the rule's affair. */
export interface Fact extends Topic {
  readonly base: Path | null
  readonly head: Path | null
  readonly before: Json
  readonly after: Json
  /** What it is about, as a person would name it: `property "email"`, `query parameter "limit"`. */
  readonly subject: string
  readonly verdict: Classification | 'docs'
  readonly reason: string | null
  readonly witness: Witness | null
  /** The value travels as text: a parameter, a header. */
  readonly textual?: boolean
  /** It is about a property that is not sent in this direction: read-only in a request, write-only in a response. */
  readonly unsent?: boolean
  /** The switch or rule of the profile that decided instead of containment. */
  readonly policy?: string
}
