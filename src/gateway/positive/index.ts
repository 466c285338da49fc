/** Positive security: what a published document allows, as rules of SecLang, and nothing else. */
import { detectFormat } from '../../document/format.ts'
import type { Document } from '../../document/document.ts'
import { isObject, type Json } from '../../kernel/json.ts'
import { operationsOf, pathsOf } from '../../diff/model/openapi.ts'
import { Side } from '../../diff/side.ts'
import type { Route, Setting } from '../compile/model.ts'
import { type Positive, type PositiveCheck, positiveChecks } from '../../gateway-policy/door.ts'
import { BodyRules } from './bodies.ts'
import { contentRulesOf, jsonHeader, writeContentRule, type ContentRule } from './content.ts'
import { isForm, prepareForms } from './forms.ts'
import { Dispatch, found, pathShape } from './dispatch.ts'
import { Losses, type CompiledPositive, type Context, type Endpoint, type Mode, type PositiveInput } from './model.ts'
import { ParameterRules } from './parameters.ts'
import { prefixesOf, routePattern, type Published } from './path.ts'
import { alphabetOf, literal } from '../pattern.ts'
import { Rules, type Condition } from './seclang.ts'
import { Shared } from './shared.ts'
import { Credentials } from './security.ts'

export { routePattern, type Published } from './path.ts'
export type { CompiledPositive, PositiveInput } from './model.ts'

const lastId = 99_999
/** So many rules lead to an operation at most, and so many are about all operations. */
const [rulesToOne, rulesOfAll] = [8, 2000]

const modeOf = ({ mode, checks }: Positive, check: PositiveCheck): Mode => {
  if (mode === 'off') return 'off'
  const own = checks[check]
  return mode === 'log' && own === 'block' ? 'log' : own
}

/** A value as the document that it would be read from; nothing here asks for positions in its text. */
const documentOf = (value: Json): Document => {
  const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }
  return {
    source: 'document',
    text: JSON.stringify(value),
    syntax: 'json',
    value,
    format: detectFormat(value),
    problems: [],
    exactValue: () => value,
    locate: () => nowhere,
    span: () => null,
    countLines: () => 1,
    linesAt: () => [],
    nonStringKeys: () => [],
    keysInOrder: () => [],
  }
}

/** What the paths of each operation begin with at the gateway: see `prefixesOf`. */
export function placesOf(
  document: unknown,
  published: Published,
): { readonly method: string; readonly path: string; readonly prefixes: readonly string[] }[] {
  const side = new Side('head', documentOf(isObject(document) ? document : {}))
  return [...pathsOf(side)]
    .flatMap(([template, item]) => operationsOf(side, item, template))
    .map((it) => ({ method: it.method, path: it.template, prefixes: prefixesOf(it, published) }))
}

function endpointsOf(side: Side, published: Published): Endpoint[] {
  const operations = [...pathsOf(side)].flatMap(([template, item]) => operationsOf(side, item, template))
  const all = operations.map((operation) => ({ operation, prefixes: prefixesOf(operation, published) }))
  const keyOf = ({ operation, prefixes }: (typeof all)[number]): string =>
    `${operation.method} ${prefixes.join(' ')} ${pathShape(operation.template)}`
  const counts = new Map<string, number>()
  for (const it of all) counts.set(keyOf(it), (counts.get(keyOf(it)) ?? 0) + 1)
  return all.map((entry, i) => ({
    ...entry,
    number: i + 1,
    label: `${entry.operation.method} ${entry.operation.template}`,
    shared: (counts.get(keyOf(entry)) ?? 0) > 1,
  }))
}

const hasForm = ({ operation: { body } }: Endpoint): boolean => [...(body?.content.values() ?? [])].some(isForm)

/** Whether a request does not show that it is of this operation. */
const isUnclear = ({ operation, shared }: Endpoint): boolean => shared || /[?#]/.test(operation.template)

/** The compilation of one document. */
class Compilation {
  private readonly context: Context
  private readonly credentials: Credentials
  /** Why nothing is compiled; null where something is. */
  private readonly nothing: string | null
  private readonly bodies: BodyRules
  private readonly requirements = new Shared<readonly Condition[]>('svc_security')
  private readonly contents = new Shared<readonly ContentRule[]>('svc_types')
  private readonly queries = new Shared<string>('svc_query')
  private readonly endpoints: readonly Endpoint[]

  constructor(input: PositiveInput) {
    const { document, positive, dialect, basePaths, firstId } = input
    const side = new Side('head', documentOf(isObject(document) ? document : {}))
    this.endpoints = endpointsOf(side, { basePaths, stripPrefix: positive.stripPrefix })
    const lastEach = lastId - rulesOfAll - this.endpoints.length * rulesToOne
    this.nothing =
      this.endpoints.length === 0
        ? 'The document has no operations.'
        : lastEach < firstId
          ? 'The document has more operations than a release has numbers for.'
          : null
    this.context = {
      side,
      dialect,
      alphabet: alphabetOf(dialect),
      rules: new Rules(firstId, lastEach),
      losses: new Losses(),
      mode: (check) => modeOf(positive, check),
    }
    this.credentials = new Credentials(this.context)
    this.bodies = new BodyRules(this.context, input.schemaFolder)
  }

  run(): CompiledPositive {
    const { losses, mode, rules } = this.context
    if (this.nothing === null && positiveChecks.some((it) => mode(it) !== 'off')) this.write()
    for (const [check, count] of rules.overflow)
      losses.add(check, ['paths'], `A release has no numbers for ${count} more of its rules.`)
    return {
      text: rules.text(),
      files: [...this.bodies.files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      checks: positiveChecks.map((it) => this.setting(it)),
      notEnforced: losses.list(),
      operations: this.endpoints.length,
      bodies: this.bodies.count,
      routes: this.endpoints.map(({ operation, prefixes }): Route => {
        const { method, template } = operation
        return { method, route: template, pattern: routePattern(template.split(/[?#]/)[0] ?? '', prefixes) }
      }),
    }
  }

  private write(): void {
    const { rules } = this.context
    rules.comment(`What the published document allows: ${this.endpoints.length} operations`)
    // Markers belong to every phase, and Coraza evaluates each that it meets: the other phases jump over them.
    for (const phase of [2, 3, 4, 5] as const) rules.flow(phase, [], [`skipAfter:${found}`])
    // The path as it was sent: an encoded slash belongs to a value, where the decoded path would have one segment more.
    rules.flow(
      1,
      [
        {
          variables: 'REQUEST_URI_RAW',
          operator: '@rx \\A(?:[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*)?([^?#]*)',
          capture: true,
        },
      ],
      ['setvar:tx.svc_path=%{tx.1}'],
    )
    if (this.context.mode('body') !== 'off')
      rules.flow(
        1,
        [{ variables: 'REQUEST_HEADERS:Content-Type', operator: `@rx ${jsonHeader}` }],
        ['ctl:requestBodyProcessor=JSON'],
      )
    if (this.context.mode('body') !== 'off' && this.endpoints.some(hasForm)) prepareForms(this.context)
    this.credentials.prepare()
    // Who removes dot segments sees another path (RFC 3986, section 5.2.4), so that such a path belongs to no operation.
    rules.flow(
      1,
      [
        {
          variables: 'TX:svc_path',
          operator: '@rx (?i)(?:/|\\x5c|\\x252f|\\x255c)(?:\\.|\\x252e){1,2}(?:/|\\x5c|\\x252f|\\x255c|;|\\x253b|\\z)',
        },
      ],
      [`skipAfter:${found}`],
    )
    new Dispatch(this.context, (endpoint) => this.operation(endpoint)).run(this.endpoints)
    rules.marker(found)
    this.unknown()
    for (const { value, when } of this.requirements.all) this.refuseWithout([when, ...value])
    for (const { value, when } of this.queries.all) this.refuseUndeclared([when], value, null)
    for (const { value, when } of this.contents.all) for (const it of value) writeContentRule(this.context, when, it)
    this.bodies.write(this.endpoints.filter((it) => !isUnclear(it)))
  }

  private unknown(): void {
    const { rules, mode } = this.context
    const unknown = mode('unknownOperation')
    const noOperation = { variables: '&TX:svc_op', operator: '@eq 0' }
    if (unknown !== 'off')
      rules.refuse(1, [noOperation, { variables: '&TX:svc_known', operator: '@eq 0' }], {
        check: 'unknownOperation',
        mode: unknown,
        status: 404,
        message: 'No operation of the document has this path.',
        operation: null,
      })
    const method = mode('method')
    if (method === 'off') return
    // A browser asks before it sends (Fetch, CORS-preflight request); documents do not list this.
    const end = 'SVC_PREFLIGHT'
    rules.flow(
      1,
      [
        { variables: 'REQUEST_METHOD', operator: '@streq OPTIONS' },
        { variables: '&REQUEST_HEADERS:Origin', operator: '@gt 0' },
        { variables: '&REQUEST_HEADERS:Access-Control-Request-Method', operator: '@gt 0' },
      ],
      [`skipAfter:${end}`],
    )
    rules.refuse(1, [noOperation, { variables: '&TX:svc_known', operator: '@gt 0' }], {
      check: 'method',
      mode: method,
      status: 405,
      message: 'The document has this path, but not with this method.',
      operation: null,
    })
    rules.marker(end)
  }

  /** Writes what is checked of one operation, and returns what to set for the checks that many operations share. */
  private operation(endpoint: Endpoint): string[] {
    const { losses, mode } = this.context
    const { operation } = endpoint
    if (isUnclear(endpoint)) {
      for (const check of ['parameters', 'undeclaredQuery', 'contentType', 'body', 'security'] as const)
        if (mode(check) !== 'off')
          losses.add(check, operation.place.path, 'Another operation has the same method and the same paths.')
      return []
    }
    const marks: string[] = []
    const missing = this.credentials.missing(endpoint)
    if (missing !== null) marks.push(this.requirements.mark(JSON.stringify(missing), missing))
    const declared = new ParameterRules(this.context, endpoint).write()
    marks.push(...this.undeclared(endpoint, declared), ...this.bodies.marksOf(endpoint))
    const content = contentRulesOf(this.context, endpoint)
    if (content.length > 0) marks.push(this.contents.mark(JSON.stringify(content), content))
    return marks
  }

  private undeclared({ operation, label }: Endpoint, declared: readonly string[] | null): string[] {
    if (this.context.mode('undeclaredQuery') === 'off') return []
    if (declared === null) {
      const reason = 'A parameter of the operation allows names that it does not list.'
      this.context.losses.add('undeclaredQuery', operation.place.path, reason)
      return []
    }
    const names = [...new Set([...declared, ...this.credentials.queryNames])]
    const body = names
      .map((it) => (it.endsWith('[') ? `${literal(it, this.context.alphabet)}.*` : literal(it, this.context.alphabet)))
      .join('|')
    if (declared.length === 0) return [this.queries.mark(body, body)]
    this.refuseUndeclared([], body, label)
    return []
  }

  private refuseUndeclared(conditions: readonly Condition[], body: string, operation: string | null): void {
    const mode = this.context.mode('undeclaredQuery')
    if (mode === 'off') return
    const message = 'The query has a parameter that the document does not declare.'
    const names = { variables: 'ARGS_GET_NAMES', operator: `!@rx \\A(?:${body})\\z` }
    this.context.rules.refuse(1, [...conditions, names], {
      check: 'undeclaredQuery',
      mode,
      status: 400,
      message,
      operation,
    })
  }

  private refuseWithout(conditions: readonly Condition[]): void {
    const mode = this.context.mode('security')
    if (mode === 'off') return
    const message = 'The request has none of the credentials that the document asks for.'
    this.context.rules.refuse(1, conditions, { check: 'security', mode, status: 401, message, operation: null })
  }

  private setting(check: PositiveCheck): Setting {
    const setting = `positive:${check}`
    const { losses, mode } = this.context
    if (mode(check) === 'off') return { setting, state: 'not-enforced', reason: 'The check is off.' }
    if (this.nothing !== null) return { setting, state: 'not-enforced', reason: this.nothing }
    const count = losses.count(check)
    if (count === 0) return { setting, state: 'enforced', reason: null }
    const places = count === 1 ? '1 place of the document is' : `${count} places of the document are`
    return { setting, state: 'approximated', reason: `${places} not enforced as written.` }
  }
}

/**
 * Compiles what a document allows. The rules never refuse a request that the document describes: what an engine cannot check is
 * left out, with the place and the reason in `notEnforced`. Pure: the same input gives the same bytes.
 *
 * @param input its document is of Swagger 2.0 or OpenAPI 3; of anything else nothing is compiled, and each check says so
 * @returns the rules, the schema files that they name, and what is enforced; it raises nothing
 */
export const compilePositive = (input: PositiveInput): CompiledPositive => new Compilation(input).run()
