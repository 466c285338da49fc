import type { Answer, Operation, Parameter } from '../diff/model/api.ts'
import type { Json } from '../kernel/json.ts'
import type { PlacedValue } from '../diff/side.ts'
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

  fail(pactInteraction: PactInteraction, path: string, reason: ReasonCode, message: string, where: Where = {}): void {
    this.builder.fail({
      reason,
      interaction: pactInteraction.name,
      method: pactInteraction.method,
      path,
      status: where.status ?? null,
      location: where.location ?? null,
      field: where.field ?? null,
      message,
    })
  }

  interaction(interaction: PactInteraction): void {
    const match = matchPath(this.#now, interaction.method, interaction.path)
    if (match.kind !== 'operation') return this.#unmatched(interaction, match)
    const { operation } = match
    this.builder.use(operation)
    this.#pathValues(interaction, operation, match.values)
    this.#query(interaction, operation)
    this.#headers(interaction, operation)
    if (interaction.body.kind !== 'none')
      this.#body(interaction, operation, { location: 'request' }, interaction.body, mediaTypeIn(interaction.headers))
    const answer = answerFor(operation, interaction.status)
    if (!answer) {
      const declared = [...operation.answers.keys()].map((key) => key.toLowerCase()).join(', ') || 'none'
      const message = `${interaction.method} ${operation.template} has no response ${interaction.status} (declared: ${declared}).`
      return this.fail(interaction, operation.template, 'status-not-declared', message, {
        status: interaction.status,
        location: 'response',
      })
    }
    this.builder.useAnswer(operation, interaction.status, answer)
    this.#responseHeaders(interaction, operation, answer)
    if (interaction.responseBody.kind === 'none') return
    const body = { location: 'response', status: interaction.status } as const
    this.#body(interaction, operation, body, interaction.responseBody, mediaTypeIn(interaction.responseHeaders))
  }

  #unmatched(interaction: PactInteraction, match: Exclude<PathMatch, { kind: 'operation' }>): void {
    const what = `${interaction.method} ${interaction.path}`
    if (match.kind === 'ambiguous')
      return this.fail(
        interaction,
        interaction.path,
        'ambiguous-path',
        `${what} matches both ${match.templates.join(' and ')}.`,
      )
    if (this.#earlier.some((old) => matchPath(old, interaction.method, interaction.path).kind === 'operation'))
      return this.fail(
        interaction,
        interaction.path,
        'operation-retired',
        `${what} was removed since an earlier version.`,
      )
    if (match.kind === 'no-method')
      return this.fail(
        interaction,
        interaction.path,
        'method-not-found',
        `${match.templates.join(', ')} has no ${interaction.method}.`,
      )
    this.fail(interaction, interaction.path, 'operation-not-found', `No path of the specification matches ${what}.`)
  }

  #checkTexts(
    pactInteraction: PactInteraction,
    operation: Operation,
    parameter: Parameter,
    texts: readonly string[],
  ): void {
    const reason = parameter.schema && textContradiction(this.#now.side, parameter.schema, texts)
    if (reason === null) return
    this.builder.warn({
      code: 'parameter-type',
      interaction: pactInteraction.name,
      method: pactInteraction.method,
      path: operation.template,
      location: 'parameter',
      status: null,
      field: parameter.name,
      message: `The ${parameter.in} parameter "${parameter.name}" ${reason}.`,
    })
  }

  // What the examples say against the types that the specification declares: the provider would not answer so.
  #checkBody(
    pactInteraction: PactInteraction,
    operation: Operation,
    body: BodyOf,
    value: Json,
    roots: readonly PlacedValue[],
  ): void {
    const where = body.location === 'request' ? 'the request' : `the response ${body.status}`
    for (const { field, reason } of contradictionsOf(this.#now.side, roots, value))
      this.builder.warn({
        code: 'value-mismatch',
        interaction: pactInteraction.name,
        method: pactInteraction.method,
        path: operation.template,
        location: body.location,
        status: body.location === 'response' ? body.status : null,
        field,
        message: `${field === '' ? 'The body' : `The field "${field}"`} of ${where} ${reason}.`,
      })
  }

  #responseHeaders(pactInteraction: PactInteraction, operation: Operation, answer: Answer): void {
    for (const [name, value] of pactInteraction.responseHeaders) {
      const header = answer.headers.get(name)
      const reason = header?.schema ? textContradiction(this.#now.side, header.schema, [value]) : null
      if (reason === null) continue
      this.builder.warn({
        code: 'value-mismatch',
        interaction: pactInteraction.name,
        method: pactInteraction.method,
        path: operation.template,
        location: 'response',
        status: pactInteraction.status,
        field: header?.name ?? name,
        message: `The header "${header?.name ?? name}" of the response ${pactInteraction.status} ${reason}.`,
      })
    }
  }

  #pathValues(interaction: PactInteraction, operation: Operation, values: ReadonlyMap<string, string>): void {
    for (const [name, value] of values) {
      const parameter = parameterFor(operation, name, 'path')
      if (!parameter) continue
      this.builder.useParameter(operation, parameter)
      this.#checkTexts(interaction, operation, parameter, [value])
    }
  }

  #query(interaction: PactInteraction, operation: Operation): void {
    for (const [name, values] of interaction.query) {
      const parameter = parameterFor(operation, name, 'query')
      if (parameter) {
        this.builder.useParameter(operation, parameter)
        this.#checkTexts(interaction, operation, parameter, values)
      } else if (!this.#keys.has(name)) {
        const message = `${interaction.method} ${operation.template} has no query parameter "${name}".`
        this.fail(interaction, operation.template, 'parameter-not-found', message, {
          location: 'parameter',
          field: name,
        })
      }
    }
  }

  // Undeclared headers are not part of the consumer contract: every client sends some.
  #headers(interaction: PactInteraction, operation: Operation): void {
    for (const [name, value] of interaction.headers) {
      const parameter = parameterFor(operation, name, 'header')
      if (!parameter) continue
      this.builder.useParameter(operation, parameter)
      this.#checkTexts(interaction, operation, parameter, [value])
    }
  }

  #body(
    interaction: PactInteraction,
    operation: Operation,
    body: BodyOf,
    given: PactBody,
    mediaType: string | null,
  ): void {
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
      const message = `The body of "${interaction.name}" is ${type ?? 'text'}, so its fields cannot be named.`
      return this.fail(interaction, operation.template, 'body-not-json', message, this.#where(body))
    }
    if (given.kind !== 'json') return
    const roots = bodySchemas(operation, body, mediaType)
    const tree = keysOf(given.value)
    if (roots.length === 0) {
      if (tree.names.size === 0 && tree.items === null) return
      const lookup = lookField(this.#now, operation, body, '')
      if (lookup.found === null)
        this.fail(interaction, operation.template, lookup.reason, lookup.message, this.#where(body))
      return
    }
    this.#keysBelow(interaction, operation, body, { tree, places: roots, steps: [] })
    // The values of a form are texts whatever they mean.
    if (mediaType === null || isJsonLike(mediaType)) this.#checkBody(interaction, operation, body, given.value, roots)
  }

  #where(body: BodyOf, field?: string): Where {
    return {
      location: body.location,
      ...(body.location === 'response' ? { status: body.status } : {}),
      ...(field === undefined ? {} : { field }),
    }
  }

  #keysBelow(
    interaction: PactInteraction,
    operation: Operation,
    body: BodyOf,
    at: { readonly tree: KeyTree; readonly places: readonly PlacedValue[]; readonly steps: readonly Step[] },
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
          : `${interaction.method} ${operation.template}: ${where} has no field "${field}".`
        this.fail(
          interaction,
          operation.template,
          removed ? 'field-removed' : 'field-not-found',
          message,
          this.#where(body, field),
        )
        continue
      }
      this.#use(operation, body, field, places)
      this.#keysBelow(interaction, operation, body, { tree, places, steps })
    }
  }

  #use(operation: Operation, body: BodyOf, field: string, places: readonly PlacedValue[]): void {
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
