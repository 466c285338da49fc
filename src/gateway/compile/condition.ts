/** Conditions of custom rules as conditions of the engine. */
import type { Expression, Term } from '../policy/expression.ts'
import { isTerm, operatorsOf } from '../policy/expression.ts'
import { readField, type Field } from '../policy/field.ts'
import { readNetwork } from '../policy/network.ts'
import { comparesBytes, type Engine } from './model.ts'
import type { Lean } from '../policy/path-reading.ts'
import { opposite } from '../policy/path-reading.ts'
import { pathNode } from './path-rules.ts'
import type { Node } from './node.ts'
import { translatePattern } from './pattern.ts'
import { literal, member, plain } from './seclang.ts'
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
function textPattern({ op, value }: Term, engine: Engine, needs: Needs): string {
  const exactly = [value].flat().map((it) => literal(String(it), comparesBytes(engine)))
  const text = exactly.join('|')
  if (op === 'in') return `\\A(?:${text})\\z`
  if (op === 'eq') return `\\A${text}\\z`
  if (op === 'starts') return `\\A${text}`
  if (op === 'ends') return `${text}\\z`
  if (op === 'contains') return text
  const translated = translatePattern(String(value), engine)
  if (typeof translated === 'string') throw new NotExpressible(translated)
  if (translated.isBytes)
    needs.deviations.add('The pattern counts bytes, so that characters beyond ASCII count several times.')
  return translated.pattern
}

const textOperator = (term: Term, engine: Engine, needs: Needs, ignoreCase = false): string =>
  `@rx ${ignoreCase ? '(?i)' : ''}${textPattern(term, engine, needs)}`

const collections = { 'http.query': 'ARGS_GET', 'http.header': 'REQUEST_HEADERS', 'http.cookie': 'REQUEST_COOKIES' }

function namedNode(term: Term, { prefix, name }: Field, engine: Engine, needs: Needs): Node {
  const target = member(collections[prefix ?? 'http.header'], name ?? '', comparesBytes(engine))
  if (prefix !== 'http.header' && /\p{L}/u.test(name ?? ''))
    needs.deviations.add('Names of query parameters and cookies are compared without regard to case.')
  if (term.op !== 'exists') return several(target, textOperator(term, engine, needs))
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

function termNode(term: Term, engine: Engine, templates: Templates, needs: Needs, lean: Lean): Node {
  const field = readField(term.field)
  if (typeof field === 'string') throw new NotExpressible(`"${plain(term.field)}" is an unknown field.`)
  if (!operatorsOf(field).includes(term.op)) throw new NotExpressible(`${plain(term.field)} is not compared so.`)
  if (field.type === 'ip') return single('REMOTE_ADDR', `@ipMatch ${[term.value].flat().flatMap(networks).join(',')}`)
  if (field.type === 'method') return single('REQUEST_METHOD', textOperator(term, engine, needs, true))
  if (field.type === 'route') return routeNode(term, templates, needs, lean)
  if (field.type === 'number') return sizeNode(term, needs)
  if (field.type === 'named') return namedNode(term, field, engine, needs)
  if (field.type === 'country')
    throw new NotExpressible('The engine has no database of countries, so it cannot tell where an address is.')
  if (field.id === 'http.path') return pathNode(textPattern(term, engine, needs), lean)
  needs.host = true
  return single('TX:svc_host', textOperator(term, engine, needs))
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
export function nodeOf(it: Expression, engine: Engine, templates: Templates, needs: Needs, lean: Lean): Node {
  const inner = (one: Expression) => nodeOf(one, engine, templates, needs, lean)
  if (isTerm(it)) return termNode(it, engine, templates, needs, lean)
  if ('not' in it) return { not: nodeOf(it.not, engine, templates, needs, opposite(lean)) }
  return 'and' in it ? { and: it.and.map(inner) } : { or: it.or.map(inner) }
}
