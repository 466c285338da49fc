import type { Operation } from '../diff/model/api.ts'
import { ContractBuilder } from './builder.ts'
import type { Location, ReasonCode, Resolution } from './contract.ts'
import { lookField, pointersIn, type BodyOf } from './look-up.ts'
import { answerFor, parameterFor, type Specification } from './specification.ts'

/** What a person says a consumer uses of one operation. */
export interface SelectedOperation {
  readonly method: string
  readonly path: string
  /** Data paths of the fields that it sends. */
  readonly request?: readonly string[]
  /** By status, data paths of the fields that it reads. */
  readonly responses?: Readonly<Record<string, readonly string[]>>
  readonly parameters?: readonly (string | { readonly name: string; readonly in?: string })[]
}

export interface Selection {
  readonly operations: readonly SelectedOperation[]
}

/** Whether an earlier published version has the operation. */
export const wasOperation = (earlier: readonly Specification[], method: string, template: string): boolean =>
  earlier.some((it) => it.find(method, template).found !== null)

/** Whether an earlier published version has the field. */
export const wasField = (
  earlier: readonly Specification[],
  operation: Operation,
  body: BodyOf,
  field: string,
): boolean =>
  earlier.some((it) => {
    const { found } = it.find(operation.method, operation.template)
    return found !== null && lookField(it, found, body, field).found !== null
  })

class Selecting {
  readonly builder = new ContractBuilder()
  readonly #now: Specification
  readonly #earlier: readonly Specification[]

  constructor(now: Specification, earlier: readonly Specification[]) {
    this.#now = now
    this.#earlier = earlier
  }

  #fail(
    operation: SelectedOperation,
    reason: ReasonCode,
    message: string,
    where: { status?: string; location?: Location; field?: string } = {},
  ): void {
    this.builder.fail({
      reason,
      interaction: null,
      method: operation.method.toUpperCase(),
      path: operation.path,
      status: where.status ?? null,
      location: where.location ?? null,
      field: where.field ?? null,
      message,
    })
  }

  operation(operation: SelectedOperation): void {
    const what = `${operation.method.toUpperCase()} ${operation.path}`
    const lookup = this.#now.find(operation.method, operation.path)
    if (lookup.found === null) {
      if (wasOperation(this.#earlier, operation.method, operation.path))
        this.#fail(operation, 'operation-retired', `${what} was removed since an earlier version.`)
      else if (lookup.reason === 'method-not-found')
        this.#fail(
          operation,
          'method-not-found',
          `The path ${operation.path} has no ${operation.method.toUpperCase()}.`,
        )
      else this.#fail(operation, 'operation-not-found', `There is no operation ${what}.`)
      return
    }
    const { found } = lookup
    this.builder.use(found)
    for (const parameter of operation.parameters ?? []) this.#parameter(operation, found, parameter)
    if (operation.request !== undefined && operation.request.length > 0) this.builder.useBody(found)
    for (const field of operation.request ?? []) {
      const pointers = this.#field(operation, found, { location: 'request' }, field)
      if (pointers !== null) this.builder.useRequestField(found, field, pointers)
    }
    for (const [status, fields] of Object.entries(operation.responses ?? {}))
      this.#answer(operation, found, status, fields)
  }

  #parameter(
    selectedOperation: SelectedOperation,
    operation: Operation,
    given: string | { name: string; in?: string },
  ): void {
    const { name, in: place = null } = typeof given === 'string' ? { name: given } : given
    const found = parameterFor(operation, name, place)
    if (found) return this.builder.useParameter(operation, found)
    const where = place === null ? '' : ` in ${place}`
    const message = `${selectedOperation.method.toUpperCase()} ${selectedOperation.path} has no parameter "${name}"${where}.`
    this.#fail(selectedOperation, 'parameter-not-found', message, { location: 'parameter', field: name })
  }

  #field(
    selectedOperation: SelectedOperation,
    operation: Operation,
    body: BodyOf,
    field: string,
  ): readonly string[] | null {
    const lookup = lookField(this.#now, operation, body, field)
    if (lookup.found) return pointersIn(this.#now.side, lookup.found.places)
    const removed = lookup.reason === 'field-not-found' && wasField(this.#earlier, operation, body, field)
    this.#fail(
      selectedOperation,
      removed ? 'field-removed' : lookup.reason,
      removed ? `The field "${field}" was removed since an earlier version.` : lookup.message,
      { location: body.location, field, ...(body.location === 'response' ? { status: body.status } : {}) },
    )
    return null
  }

  #answer(selectedOperation: SelectedOperation, operation: Operation, status: string, fields: readonly string[]): void {
    const answer = answerFor(operation, status)
    if (!answer) {
      const declared = [...operation.answers.keys()].map((key) => key.toLowerCase()).join(', ') || 'none'
      const message = `${selectedOperation.method.toUpperCase()} ${selectedOperation.path} has no response ${status} (declared: ${declared}).`
      return this.#fail(selectedOperation, 'status-not-declared', message, { status, location: 'response' })
    }
    const used = this.builder.useAnswer(operation, status, answer)
    for (const field of fields) {
      const pointers = this.#field(selectedOperation, operation, { location: 'response', status }, field)
      if (pointers !== null) used.fields.set(field, pointers)
    }
  }
}

/**
 * Resolves a selection: operations by method and path template, fields by data path, onto the places where the
 * specification declares them.
 *
 * @param earlier published versions before this one, to distinguish what was removed from what never existed
 */
export const resolveSelection = (
  selection: Selection,
  now: Specification,
  earlier: readonly Specification[] = [],
): Resolution => {
  const selecting = new Selecting(now, earlier)
  for (const it of selection.operations) selecting.operation(it)
  return selecting.builder.finish()
}
