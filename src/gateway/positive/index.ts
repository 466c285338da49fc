/** Positive security: what a published document allows, as rules of SecLang, and nothing else. */
import { detectFormat } from '../../document/format.ts'
import type { Document } from '../../document/document.ts'
import { isObject, type Json } from '../../kernel/json.ts'
import { operationsOf, pathsOf } from '../../diff/model/openapi.ts'
import { Side } from '../../diff/side.ts'
import type { Route, Setting } from '../compile/model.ts'
import { type Positive, type PositiveCheck, positiveChecks } from '../../gateway-policy/door.ts'
import { BodyRules } from './bodies.ts'
import { Blocks, rarestFirst, type Check } from './blocks.ts'
import { constraintsOf } from './constraints.ts'
import { contentChecks, contentRulesOf, jsonHeader } from './content.ts'
import { isForm, prepareForms } from './forms.ts'
import { Dispatch, found, pathShape, targetText, unknown, type Target } from './dispatch.ts'
import { Losses, type CompiledPositive, type Context, type Endpoint, type Mode, type PositiveInput } from './model.ts'
import { ParameterRules } from './parameters.ts'
import { prefixesOf, routePattern, type Published } from './path.ts'
import { alphabetOf, literal } from '../pattern.ts'
import { Rules, type Refusal } from './seclang.ts'
import { Credentials } from './security.ts'
import { doubtOf } from '../proof/proof.ts'

export { routePattern, type Published } from './path.ts'
export type { CompiledPositive, PositiveInput } from './model.ts'

const lastId = 99_999
/** Where the rules of the phase of the body begin. */
const ofBodies = 'SVC_BODIES'
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
  return all.map((entry) => ({
    ...entry,
    shared: (counts.get(keyOf(entry)) ?? 0) > 1,
  }))
}

const hasForm = ({ operation: { body } }: Endpoint): boolean => [...(body?.content.values() ?? [])].some(isForm)

/** The compilation of one document. */
class Compilation {
  private readonly context: Context
  private readonly credentials: Credentials
  /** Why nothing is compiled; null where something is. */
  private readonly nothing: string | null
  private readonly bodies: BodyRules
  private readonly blocks = new Blocks(found)
  private readonly endpoints: readonly Endpoint[]
  /** What the document asks for, by check. */
  private readonly constraints: Readonly<Record<PositiveCheck, readonly string[]>>

  constructor(input: PositiveInput) {
    const { document, positive, dialect, basePaths, firstId } = input
    const side = new Side('head', documentOf(isObject(document) ? document : {}))
    this.endpoints = endpointsOf(side, { basePaths, stripPrefix: positive.stripPrefix })
    this.constraints = constraintsOf(
      side,
      this.endpoints.map((it) => it.operation),
    )
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
    const { passesMarkers } = this.context.dialect
    if (!passesMarkers) {
      rules.flow(2, [], [`skipAfter:${ofBodies}`])
      for (const phase of [3, 4, 5] as const) rules.flow(phase, [], [`skipAfter:${found}`])
    }
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
      ['setvar:tx.svc_path=%{tx.1}', `setvar:tx.svc_target=${targetText('%{tx.1}')}`],
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
      [`skipAfter:${unknown}`],
    )
    const clear = this.endpoints.filter((it) => !this.isUnclear(it))
    const checked = clear.map((it) => this.operation(it))
    const parameters = rarestFirst(checked.map((it) => it.parameters))
    this.bodies.read(clear)
    const targets = new Map(
      clear.map((endpoint, i): [Endpoint, Target] => [
        endpoint,
        {
          marks: this.bodies.marksOf(endpoint),
          next: this.blocks.label([...(parameters[i] ?? []), ...(checked[i]?.others ?? [])]),
          kept: checked[i]?.kept ?? [],
        },
      ]),
    )
    const nothing: Target = { marks: [], next: found, kept: [] }
    new Dispatch(this.context, (it) => targets.get(it) ?? nothing).run(this.endpoints)
    rules.marker(unknown)
    this.unknown()
    rules.flow(1, [], [`skipAfter:${found}`])
    this.blocks.write(rules)
    if (!passesMarkers) rules.marker(ofBodies)
    this.bodies.write()
    rules.marker(found)
  }

  private unknown(): void {
    const { rules, mode } = this.context
    const none = mode('unknownOperation')
    if (none !== 'off')
      rules.refuse(1, [{ variables: '&TX:svc_known', operator: '@eq 0' }], {
        isSparable: false,
        check: 'unknownOperation',
        mode: none,
        status: 404,
        message: 'No operation of the document has this path.',
      })
    const method = mode('method')
    if (method === 'off') return
    // A browser asks before it sends (Fetch, CORS-preflight request); documents do not list this.
    rules.flow(
      1,
      [
        { variables: 'REQUEST_METHOD', operator: '@streq OPTIONS' },
        { variables: '&REQUEST_HEADERS:Origin', operator: '@gt 0' },
        { variables: '&REQUEST_HEADERS:Access-Control-Request-Method', operator: '@gt 0' },
      ],
      [`skipAfter:${found}`],
    )
    rules.refuse(1, [{ variables: '&TX:svc_known', operator: '@gt 0' }], {
      isSparable: false,
      check: 'method',
      mode: method,
      status: 405,
      message: 'The document has this path, but not with this method.',
    })
  }

  /** Whether a request does not show that it is of this operation; then nothing is checked of it, and the report says so. */
  private isUnclear({ operation, shared }: Endpoint): boolean {
    if (!shared && !/[?#]/.test(operation.template)) return false
    const { losses, mode } = this.context
    for (const check of ['parameters', 'undeclaredQuery', 'contentType', 'body', 'security'] as const)
      if (mode(check) !== 'off')
        losses.add(check, operation.place.path, 'Another operation has the same method and the same paths.')
    return true
  }

  /** What is checked of one operation: its parameters, in any order, and then the others, in theirs. */
  private operation(endpoint: Endpoint) {
    const rules = new ParameterRules(this.context, endpoint)
    const declared = rules.read()
    const undeclared = this.undeclared(endpoint, declared)
    const credentials = this.credentials.checksOf(endpoint)
    return {
      parameters: rules.checks,
      kept: rules.kept,
      others: [
        ...(declared?.length === 0 ? [...credentials, ...undeclared] : [...undeclared, ...credentials]),
        ...contentRulesOf(this.context, endpoint).flatMap(contentChecks),
      ],
    }
  }

  private undeclared({ operation }: Endpoint, declared: readonly string[] | null): Check[] {
    const mode = this.context.mode('undeclaredQuery')
    if (mode === 'off') return []
    if (declared === null) {
      const reason = 'A parameter of the operation allows names that it does not list.'
      this.context.losses.add('undeclaredQuery', operation.place.path, reason)
      return []
    }
    const names = [...new Set([...declared, ...this.credentials.queryNames])]
    const body = names
      .map((it) => (it.endsWith('[') ? `${literal(it, this.context.alphabet)}.*` : literal(it, this.context.alphabet)))
      .join('|')
    const refusal: Refusal = {
      check: 'undeclaredQuery',
      mode,
      status: 400,
      message: 'The query has a parameter that the document does not declare.',
      isSparable: declared.length > 0,
    }
    return [{ conditions: [{ variables: 'ARGS_GET_NAMES', operator: `!@rx \\A(?:${body})\\z` }], refusal }]
  }

  private setting(check: PositiveCheck): Setting {
    const setting = `positive:${check}`
    const { losses, mode, dialect } = this.context
    if (mode(check) === 'off') return { setting, state: 'not-enforced', reason: 'The check is off.' }
    if (this.nothing !== null) return { setting, state: 'not-enforced', reason: this.nothing }
    const count = losses.count(check)
    if (count === 0) {
      const doubt = doubtOf(dialect.name, this.constraints[check])
      return { setting, state: doubt?.state ?? 'enforced', reason: doubt?.reason ?? null }
    }
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
