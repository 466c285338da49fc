import type { Answer, Operation, Parameter } from '../diff/model/api.ts'
import type { Json } from '../document/json.ts'
import type { Place } from '../diff/side.ts'
import { ContractBuilder } from './builder.ts'
import type { Location, ReasonCode, Resolution } from './contract.ts'
import { formatDataPath, type Step } from './data-path.ts'
import { findStep } from './field.ts'
import { bodySchemas, keyParameters, lookField, pointersIn, type BodyOf } from './look-up.ts'
import { contradictionsOf, textContradiction } from './contradictions.ts'
import { matchPath, type PathMatch } from './match-path.ts'
import { keysOf, type KeyTree, type Pact, type PactBody, type PactInteraction } from './pact.ts'
import { wasField } from './selection.ts'
import { answerFor, isJsonLike, parameterFor, type Specification } from './specification.ts'

interface Where {
  readonly status?: string
  readonly location?: Location
  readonly field?: string
}

const mediaTypeIn = (headers: ReadonlyMap<string, string>): string | null =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? null

class Importing {
  readonly builder = new ContractBuilder()
  readonly #now: Specification
  readonly #earlier: readonly Specification[]
  readonly #keys: ReadonlySet<string>

  constructor(now: Specification, earlier: readonly Specification[]) {
    this.#now = now
    this.#earlier = earlier
    this.#keys = keyParameters(now)
  }

  fail(it: PactInteraction, path: string, reason: ReasonCode, message: string, where: Where = {}): void {
    this.builder.fail({
      reason,
      interaction: it.name,
      method: it.method,
      path,
      status: where.status ?? null,
      location: where.location ?? null,
      field: where.field ?? null,
      message,
    })
  }

  interaction(it: PactInteraction): void {
    const match = matchPath(this.#now, it.method, it.path)
    if (match.kind !== 'operation') return this.#unmatched(it, match)
    const { operation } = match
    this.builder.use(operation)
    this.#pathValues(it, operation, match.values)
    this.#query(it, operation)
    this.#headers(it, operation)
    if (it.body.kind !== 'none') this.#body(it, operation, { location: 'request' }, it.body, mediaTypeIn(it.headers))
    const answer = answerFor(operation, it.status)
    if (!answer) {
      const declared = [...operation.answers.keys()].map((key) => key.toLowerCase()).join(', ') || 'none'
      const message = `${it.method} ${operation.template} has no response ${it.status} (declared: ${declared}).`
      return this.fail(it, operation.template, 'status-not-declared', message, {
        status: it.status,
        location: 'response',
      })
    }
    this.builder.useAnswer(operation, it.status, answer)
    this.#responseHeaders(it, operation, answer)
    if (it.responseBody.kind === 'none') return
    const body = { location: 'response', status: it.status } as const
    this.#body(it, operation, body, it.responseBody, mediaTypeIn(it.responseHeaders))
  }

  #unmatched(it: PactInteraction, match: Exclude<PathMatch, { kind: 'operation' }>): void {
    const what = `${it.method} ${it.path}`
    if (match.kind === 'ambiguous')
      return this.fail(it, it.path, 'ambiguous-path', `${what} matches both ${match.templates.join(' and ')}.`)
    if (this.#earlier.some((old) => matchPath(old, it.method, it.path).kind === 'operation'))
      return this.fail(it, it.path, 'operation-retired', `${what} was removed since an earlier version.`)
    if (match.kind === 'no-method')
      return this.fail(it, it.path, 'method-not-found', `${match.templates.join(', ')} has no ${it.method}.`)
    this.fail(it, it.path, 'operation-not-found', `No path of the specification matches ${what}.`)
  }

  #checkTexts(it: PactInteraction, operation: Operation, parameter: Parameter, texts: readonly string[]): void {
    const reason = parameter.schema && textContradiction(this.#now.side, parameter.schema, texts)
    if (reason === null) return
    this.builder.warn({
      code: 'parameter-type',
      interaction: it.name,
      method: it.method,
      path: operation.template,
      location: 'parameter',
      status: null,
      field: parameter.name,
      message: `The ${parameter.in} parameter "${parameter.name}" ${reason}.`,
    })
  }

  // What the examples say against the types that the specification declares: the provider would not answer so.
  #checkBody(it: PactInteraction, operation: Operation, body: BodyOf, value: Json, roots: readonly Place[]): void {
    const where = body.location === 'request' ? 'the request' : `the response ${body.status}`
    for (const { field, reason } of contradictionsOf(this.#now.side, roots, value))
      this.builder.warn({
        code: 'value-mismatch',
        interaction: it.name,
        method: it.method,
        path: operation.template,
        location: body.location,
        status: body.location === 'response' ? body.status : null,
        field,
        message: `${field === '' ? 'The body' : `The field "${field}"`} of ${where} ${reason}.`,
      })
  }

  #responseHeaders(it: PactInteraction, operation: Operation, answer: Answer): void {
    for (const [name, value] of it.responseHeaders) {
      const header = answer.headers.get(name)
      const reason = header?.schema ? textContradiction(this.#now.side, header.schema, [value]) : null
      if (reason === null) continue
      this.builder.warn({
        code: 'value-mismatch',
        interaction: it.name,
        method: it.method,
        path: operation.template,
        location: 'response',
        status: it.status,
        field: header?.name ?? name,
        message: `The header "${header?.name ?? name}" of the response ${it.status} ${reason}.`,
      })
    }
  }

  #pathValues(it: PactInteraction, operation: Operation, values: ReadonlyMap<string, string>): void {
    for (const [name, value] of values) {
      const parameter = parameterFor(operation, name, 'path')
      if (!parameter) continue
      this.builder.useParameter(operation, parameter)
      this.#checkTexts(it, operation, parameter, [value])
    }
  }

  #query(it: PactInteraction, operation: Operation): void {
    for (const [name, values] of it.query) {
      const parameter = parameterFor(operation, name, 'query')
      if (parameter) {
        this.builder.useParameter(operation, parameter)
        this.#checkTexts(it, operation, parameter, values)
      } else if (!this.#keys.has(name)) {
        const message = `${it.method} ${operation.template} has no query parameter "${name}".`
        this.fail(it, operation.template, 'parameter-not-found', message, { location: 'parameter', field: name })
      }
    }
  }

  // Undeclared headers are not part of the consumer contract: every client sends some.
  #headers(it: PactInteraction, operation: Operation): void {
    for (const [name, value] of it.headers) {
      const parameter = parameterFor(operation, name, 'header')
      if (!parameter) continue
      this.builder.useParameter(operation, parameter)
      this.#checkTexts(it, operation, parameter, [value])
    }
  }

  #body(it: PactInteraction, operation: Operation, body: BodyOf, given: PactBody, mediaType: string | null): void {
    const request = body.location === 'request'
    if (request) this.builder.useBody(operation)
    if (given.kind === 'other') {
      const content = request ? operation.body?.content : answerFor(operation, body.status)?.content
      const type = given.mediaType ?? mediaType
      const types = [...(content?.keys() ?? [])]
      // A body that the specification describes as text or bytes is used as a whole.
      if (
        types.length > 0 &&
        (type === null
          ? types.some((name) => !isJsonLike(name))
          : types.some((name) => name === type || name.startsWith(`${type};`)))
      )
        return
      if (types.length > 0 && bodySchemas(operation, body).length === 0) return
      const message = `The body of "${it.name}" is ${type ?? 'text'}, so its fields cannot be named.`
      return this.fail(it, operation.template, 'body-not-json', message, this.#where(body))
    }
    if (given.kind !== 'json') return
    const roots = bodySchemas(operation, body, mediaType)
    const tree = keysOf(given.value)
    if (roots.length === 0) {
      if (tree.names.size === 0 && tree.items === null) return
      const lookup = lookField(this.#now, operation, body, '')
      if (lookup.found === null) this.fail(it, operation.template, lookup.reason, lookup.message, this.#where(body))
      return
    }
    this.#keysBelow(it, operation, body, { tree, places: roots, steps: [] })
    // The values of a form are texts whatever they mean.
    if (mediaType === null || isJsonLike(mediaType)) this.#checkBody(it, operation, body, given.value, roots)
  }

  #where(body: BodyOf, field?: string): Where {
    return {
      location: body.location,
      ...(body.location === 'response' ? { status: body.status } : {}),
      ...(field === undefined ? {} : { field }),
    }
  }

  #keysBelow(
    it: PactInteraction,
    operation: Operation,
    body: BodyOf,
    at: { readonly tree: KeyTree; readonly places: readonly Place[]; readonly steps: readonly Step[] },
  ): void {
    const children: (readonly [Step, KeyTree])[] = [...at.tree.names].map(([name, tree]) => [{ name }, tree])
    if (at.tree.items) children.push(['items', at.tree.items])
    for (const [step, tree] of children) {
      const steps = [...at.steps, step]
      const field = formatDataPath(steps)
      const places = findStep(this.#now.side, at.places, step)
      if (places.length === 0) {
        const removed = wasField(this.#earlier, operation, body, field)
        const where = body.location === 'request' ? 'the request' : `the response ${body.status}`
        const message = removed
          ? `The field "${field}" of ${where} was removed since an earlier version.`
          : `${it.method} ${operation.template}: ${where} has no field "${field}".`
        this.fail(
          it,
          operation.template,
          removed ? 'field-removed' : 'field-not-found',
          message,
          this.#where(body, field),
        )
        continue
      }
      this.#use(operation, body, field, places)
      this.#keysBelow(it, operation, body, { tree, places, steps })
    }
  }

  #use(operation: Operation, body: BodyOf, field: string, places: readonly Place[]): void {
    const pointers = pointersIn(this.#now.side, places)
    if (body.location === 'request') return this.builder.useRequestField(operation, field, pointers)
    const answer = answerFor(operation, body.status)
    if (answer) this.builder.useAnswer(operation, body.status, answer).fields.set(field, pointers)
  }
}

/**
 * Resolves a contract-test document: each interaction's method and path onto a path template, the keys of its example
 * bodies onto declared fields at its status, its query onto parameters.
 *
 * @param earlier published versions before this one, to distinguish what was removed from what never existed
 */
export const resolvePact = (pact: Pact, now: Specification, earlier: readonly Specification[] = []): Resolution => {
  const importing = new Importing(now, earlier)
  for (const it of pact.unsupported) {
    importing.builder.fail({
      reason: 'unsupported-interaction',
      interaction: it.name,
      method: null,
      path: null,
      status: null,
      location: null,
      field: null,
      message: `"${it.name}" was skipped: ${it.what}.`,
    })
  }
  for (const it of pact.interactions) importing.interaction(it)
  return importing.builder.finish()
}
