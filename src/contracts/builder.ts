import type { Answer, Operation, Parameter } from '../diff/model/api.ts'
import { pointerOf } from '../diff/side.ts'
import type { Contract, ContractWarning, Resolution, Unresolved, UsedField } from './contract.ts'

interface UsedAnswerDraft {
  readonly answer: Answer
  readonly fields: Map<string, readonly string[]>
}

interface Draft {
  readonly operation: Operation
  body: boolean
  readonly request: Map<string, readonly string[]>
  readonly responses: Map<string, UsedAnswerDraft>
  readonly parameters: Map<string, Parameter>
}

const fieldsOf = (fields: ReadonlyMap<string, readonly string[]>): UsedField[] =>
  [...fields].map(([field, pointers]) => ({ field, pointers })).sort((a, b) => (a.field < b.field ? -1 : 1))

const declaredStatus = (answer: Answer): string => (answer.status === 'DEFAULT' ? 'default' : answer.status)

/** Gathers what a consumer uses; what is said twice is kept once. The result does not depend on the order. */
export class ContractBuilder {
  readonly #operations = new Map<string, Draft>()
  readonly #unresolved = new Map<string, Unresolved>()
  readonly #warnings = new Map<string, ContractWarning>()

  #draftOf(operation: Operation): Draft {
    const key = pointerOf(operation.place.path)
    let draft = this.#operations.get(key)
    if (!draft) {
      draft = { operation, body: false, request: new Map(), responses: new Map(), parameters: new Map() }
      this.#operations.set(key, draft)
    }
    return draft
  }

  use(operation: Operation): void {
    this.#draftOf(operation)
  }

  useBody(operation: Operation): void {
    this.#draftOf(operation).body = true
  }

  useRequestField(operation: Operation, field: string, pointers: readonly string[]): void {
    const draft = this.#draftOf(operation)
    draft.body = true
    draft.request.set(field, pointers)
  }

  useAnswer(operation: Operation, status: string, answer: Answer): UsedAnswerDraft {
    const { responses } = this.#draftOf(operation)
    const key = /^default$/i.test(status) ? 'default' : status.toUpperCase()
    let used = responses.get(key)
    if (!used) responses.set(key, (used = { answer, fields: new Map() }))
    return used
  }

  useParameter(operation: Operation, parameter: Parameter): void {
    this.#draftOf(operation).parameters.set(`${parameter.in} ${parameter.name}`, parameter)
  }

  fail(item: Unresolved): void {
    this.#unresolved.set(JSON.stringify(item), item)
  }

  warn(warning: ContractWarning): void {
    this.#warnings.set(JSON.stringify(warning), warning)
  }

  finish(): Resolution {
    const operations = [...this.#operations.values()].map(({ operation, body, request, responses, parameters }) => ({
      method: operation.method.toUpperCase(),
      path: operation.template,
      pointer: pointerOf(operation.place.path),
      body,
      request: fieldsOf(request),
      responses: [...responses]
        .map(([status, { answer, fields }]) => ({
          status,
          declared: declaredStatus(answer),
          pointer: pointerOf(answer.place.path),
          fields: fieldsOf(fields),
        }))
        .sort((a, b) => (a.status < b.status ? -1 : 1)),
      parameters: [...parameters.values()]
        .map((it) => ({ name: it.name, in: it.in, pointer: pointerOf(it.place.path) }))
        .sort((a, b) => (`${a.in} ${a.name}` < `${b.in} ${b.name}` ? -1 : 1)),
    }))
    operations.sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1))
    const contract: Contract = { operations }
    return { contract, unresolved: [...this.#unresolved.values()], warnings: [...this.#warnings.values()] }
  }
}
