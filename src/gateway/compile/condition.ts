/** Conditions of custom rules as conditions of the engine. */
import {
  type Expression,
  type Field,
  isTerm,
  type Lean,
  operatorsOf,
  opposite,
  readField,
  patternProblem,
  readNetwork,
  type Term,
} from '../../gateway-policy/door.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { pathNode } from './path-rules.ts'
import type { Node } from './node.ts'
import { alphabetOf, Inexpressible, literal, translatePattern } from '../pattern.ts'
import { member, plain } from './seclang.ts'
import type { Templates } from './template.ts'

/** What a rule needs beside its own lines, and what the engine does in another way than the rule says. */
export interface Needs {
  host: boolean
  bodySize: boolean
  readonly deviations: Set<string>
}

/** Thrown where the engine cannot decide a condition. */
export class NotExpressible extends Error {}

const single = (target: string, operator: string): Node => ({
  condition: { target, operator, isSingle: true, opposite: { target, operator: `!${operator}` } },
})
const several = (target: string, operator: string): Node => ({
  condition: { target, operator, isSingle: false, opposite: null },
})

/** The regular expression for comparing texts. */
function textPattern({ op, value }: Term, dialect: Dialect, needs: Needs): string {
  const exactly = [value].flat().map((it) => literal(String(it), alphabetOf(dialect)))
  const text = exactly.join('|')
  if (op === 'in') return `\\A(?:${text})\\z`
  if (op === 'eq') return `\\A${text}\\z`
  if (op === 'starts') return `\\A${text}`
  if (op === 'ends') return `${text}\\z`
  if (op === 'contains') return text
  return patternOf(String(value), dialect, needs)
}

/** A regular expression of a rule. Rules are refused where an engine may need long for it; policies of files are asked here. */
function patternOf(source: string, dialect: Dialect, needs: Needs): string {
  const problem = patternProblem(source)
  if (problem !== null) throw new NotExpressible(`The pattern cannot be used: ${problem}.`)
  try {
    const translated = translatePattern(source, { alphabet: alphabetOf(dialect), isSearch: true })
    if (!translated.exact)
      needs.deviations.add('The pattern does not tell characters beyond ASCII apart, so that it may match more.')
    return translated.body
  } catch (error) {
    if (error instanceof Inexpressible) throw new NotExpressible(error.message)
    throw error
  }
}

const textOperator = (term: Term, dialect: Dialect, needs: Needs, ignoreCase = false): string =>
  `@rx ${ignoreCase ? '(?i)' : ''}${textPattern(term, dialect, needs)}`

const collections = { 'http.query': 'ARGS_GET', 'http.header': 'REQUEST_HEADERS', 'http.cookie': 'REQUEST_COOKIES' }

function namedNode(term: Term, { prefix, name }: Field, dialect: Dialect, needs: Needs): Node {
  const target = member(collections[prefix ?? 'http.header'], name ?? '', dialect.comparesBytes)
  if (prefix !== 'http.header' && /\p{L}/u.test(name ?? ''))
    needs.deviations.add('Names of query parameters and cookies are compared without regard to case.')
  if (term.op !== 'exists') return several(target, textOperator(term, dialect, needs))
  return {
    condition: {
      target: `&${target}`,
      operator: '@gt 0',
      isSingle: true,
      opposite: { target: `&${target}`, operator: '@eq 0' },
    },
  }
}

function sizeNode({ op, value }: Term, needs: Needs): Node {
  needs.bodySize = true
  needs.deviations.add(
    'The size of a body is its Content-Length; a body that is sent in pieces has none and meets no condition.',
  )
  const target = 'TX:svc_body_size'
  const numbers = [value].flat().map(Number)
  if (!numbers.every(Number.isSafeInteger)) throw new NotExpressible('The size is not compared with a number.')
  return { or: numbers.map((it) => single(target, `@${op === 'in' ? 'eq' : op} ${it}`)) }
}

function routeNode({ op, value }: Term, templates: Templates, needs: Needs, lean: Lean): Node {
  if (!templates.isKnown) {
    if (op === 'exists' || op === 'starts')
      throw new NotExpressible('No document is given, so the templates of its operations are not known.')
    needs.deviations.add('No document is given: a path that belongs to a more concrete template meets it too.')
  }
  const chosen =
    op === 'eq'
      ? [String(value)]
      : op === 'in'
        ? [value].flat().map(String)
        : templates.all.filter((it) => op === 'exists' || it.startsWith(String(value)))
  const missing = templates.isKnown ? chosen.filter((it) => !templates.all.includes(it)) : []
  if (missing.length > 0)
    needs.deviations.add(`The document has no operation with the template ${missing.slice(0, 3).join(', ')}.`)
  if (chosen.length === 0) throw new NotExpressible('No operation of the document has such a template.')
  return templates.node(chosen, lean)
}

function termNode(term: Term, dialect: Dialect, templates: Templates, needs: Needs, lean: Lean): Node {
  const field = readField(term.field)
  if (typeof field === 'string') throw new NotExpressible(`"${plain(term.field)}" is an unknown field.`)
  if (!operatorsOf(field).includes(term.op)) throw new NotExpressible(`${plain(term.field)} is not compared so.`)
  if (field.type === 'ip') return single('REMOTE_ADDR', `@ipMatch ${[term.value].flat().flatMap(networks).join(',')}`)
  if (field.type === 'method') return single('REQUEST_METHOD', textOperator(term, dialect, needs, true))
  if (field.type === 'route') return routeNode(term, templates, needs, lean)
  if (field.type === 'number') return sizeNode(term, needs)
  if (field.type === 'named') return namedNode(term, field, dialect, needs)
  if (field.type === 'country')
    throw new NotExpressible('The engine has no database of countries, so it cannot tell where an address is.')
  if (field.id === 'http.path') return pathNode(textPattern(term, dialect, needs), lean)
  needs.host = true
  return single('TX:svc_host', textOperator(term, dialect, needs))
}

/** ModSecurity refuses networks of all addresses and, of IPv6, those of one. */
const wholeFamily: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0/0': ['0.0.0.0/1', '128.0.0.0/1'],
  '::/0': ['::/1', '8000::/1'],
}

function networks(given: unknown): readonly string[] {
  const network = readNetwork(String(given))
  if (typeof network === 'string') throw new NotExpressible(`"${plain(String(given), 60)}" is not a network.`)
  return wholeFamily[network.text] ?? [network.text.replace(network.family === 4 ? /\/32$/ : /\/128$/, '')]
}

/**
 * Translates an expression.
 * @param needs collects what has to be computed before, and deviations
 * @param lean what the rule asks of the readings of a path: one, or all
 * @throws NotExpressible with a sentence that says why the engine cannot
 */
export function nodeOf(expression: Expression, dialect: Dialect, templates: Templates, needs: Needs, lean: Lean): Node {
  const inner = (one: Expression) => nodeOf(one, dialect, templates, needs, lean)
  if (isTerm(expression)) return termNode(expression, dialect, templates, needs, lean)
  if ('not' in expression) return { not: nodeOf(expression.not, dialect, templates, needs, opposite(lean)) }
  return 'and' in expression ? { and: expression.and.map(inner) } : { or: expression.or.map(inner) }
}
