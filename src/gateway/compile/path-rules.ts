/** The readings of a path (`policy/path-reading.ts`) as variables of the engine, and conditions on them. */
import {
  aroundBackslash,
  asSent,
  beforeQuestionMark,
  hasDots,
  hasQuestionMark,
  isEncodedTwice,
  type Lean,
  normalized,
  odd,
  type PathPattern,
  unclear,
  withoutEnd,
  withoutParameters,
} from '../../gateway-policy/door.ts'
import type { Node } from './node.ts'
import { chain, type Link } from './seclang.ts'

/** The path as it is sent: an encoded slash is part of a segment. */
export const sentPath = 'TX:svc_path'

/** What the readings are called: all but the last two are those that a rule that lets pass asks, too. */
const names = ['sent', 'dots', 'parameters', 'backslash', 'mark', 'twice'].map((it) => `TX:svc_path_${it}`)
const certain = ['REQUEST_FILENAME', ...names].join('|')
const isUnclear = 'TX:svc_path_unclear'
const possible = [certain, 'TX:svc_path_end', isUnclear].join('|')
/** The value for an unclear path: no clear path is this text. */
const anything = '?'

const node = (target: string, operator: string): Node => ({
  condition: { target, operator, isSingle: false, opposite: null },
})
/** Of a variable that is there or not. */
const flag = (target: string, isSet: boolean): Node => {
  const operators = ['@gt 0', '@eq 0'].map((operator) => ({ target: `&${target}`, operator }))
  const [own, opposite = null] = isSet ? operators : operators.toReversed()
  return { condition: { ...(own as Link), isSingle: true, opposite } }
}

/**
 * That a reading of the path meets an expression, or that all do.
 * @param pattern of what is compared, without flags
 */
export const pathNode = (pattern: string, lean: Lean): Node =>
  lean === 'some'
    ? node(possible, `@rx (?:${pattern})|\\A\\x3f\\z`)
    : { not: { or: [node(certain, `!@rx ${pattern}`), flag(isUnclear, true)] } }

/** That no server takes the path for another one than the document does, or that some may. */
export const oddNode = (isSet: boolean): Node => flag('TX:svc_path_odd', isSet)

const target = { sent: sentPath, decoded: 'REQUEST_FILENAME', twice: sentPath } as const
const decoding = { sent: [], decoded: [], twice: ['urlDecode', 'urlDecode'] } as const

/** Keeps the path as it was sent, without the query and what the absolute form for proxies puts before it. */
const keepSent = {
  links: [
    {
      target: 'REQUEST_URI_RAW',
      operator: '@rx \\A(?:[A-Za-z][A-Za-z0-9+.-]*:\\x2f\\x2f[^\\x2f?#]*)?([^?#]*)',
    },
  ],
  then: ['capture', 'setvar:tx.svc_path=%{tx.1}'],
}

const condition = ({ of, pattern }: PathPattern): Link => ({
  target: target[of],
  operator: `@rx ${pattern}`,
  transformations: decoding[of],
})

/** A reading: what makes one, and what is captured of it. */
function reading(name: string, from: PathPattern, found: Link) {
  return { links: [condition(from), found], then: ['capture', `setvar:tx.svc_path_${name}=%{tx.1}`] }
}

const capture = (from: string, pattern: string, transformations: readonly string[] = ['normalizePath']): Link => ({
  target: from,
  operator: `@rx ${pattern}`,
  transformations,
})

/** A reading of groups of the decoded path that are put together; the second rule normalizes it. */
const joined = (name: string, pattern: string, text: string) => [
  {
    links: [capture('REQUEST_FILENAME', pattern, [])],
    then: ['capture', `setvar:tx.svc_joined_${name}=${text}`],
  },
  {
    links: [capture(`TX:svc_joined_${name}`, normalized)],
    then: ['capture', `setvar:tx.svc_path_${name}=%{tx.1}`],
  },
]
const unclearPath = [`setvar:tx.svc_path_unclear=${anything}`]

/**
 * Rules that set the variables of the path.
 * @param usesReadings whether conditions on readings follow; otherwise the path as it was sent and whether it is odd are enough
 */
export function pathRules(usesReadings: boolean): string {
  const readings = [
    reading('sent', { of: 'sent', pattern: asSent }, capture(sentPath, '([\\s\\S]*)', [])),
    reading('dots', { of: 'decoded', pattern: hasDots }, capture('REQUEST_FILENAME', normalized)),
    ...joined('parameters', withoutParameters, '%{tx.1}%{tx.2}%{tx.3}%{tx.4}%{tx.5}'),
    ...joined('backslash', aroundBackslash, '%{tx.1}/%{tx.2}'),
    {
      links: [capture('REQUEST_FILENAME', beforeQuestionMark, [])],
      then: ['capture', 'setvar:tx.svc_path_mark=%{tx.1}'],
    },
    reading(
      'twice',
      { of: 'sent', pattern: isEncodedTwice },
      capture(sentPath, normalized, [...decoding.twice, 'normalizePath']),
    ),
    {
      links: [{ target: sentPath, operator: `!@rx ${hasQuestionMark}` }, capture('REQUEST_FILENAME', withoutEnd)],
      then: ['capture', 'setvar:tx.svc_path_end=%{tx.1}'],
    },
    ...unclear.map((together) => ({ links: together.map(condition), then: unclearPath })),
    // What is sent to proxies, and no path at all.
    { links: [{ target: 'REQUEST_URI_RAW', operator: '!@rx \\A/' }], then: unclearPath },
  ]
  const rules = [
    keepSent,
    { links: [condition({ of: 'sent', pattern: odd })], then: ['setvar:tx.svc_path_odd=1'] },
    ...(usesReadings ? readings : []),
  ]
  return rules.map((it, index) => chain({ id: 10_020 + index, ...it, actions: ['pass', 'nolog'] })).join('')
}
