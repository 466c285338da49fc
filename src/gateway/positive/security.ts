/** Credentials: whether a request carries those that one of the security requirements asks for (OpenAPI 3.1, 4.8.30). */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { PlacedValue } from '../../diff/side.ts'
import type { Context, Endpoint } from './model.ts'
import { literal, type Alphabet } from '../pattern.ts'
import type { Check } from './blocks.ts'
import { memberOf, type Condition, type Refusal } from './seclang.ts'

/** A way to see that a credential is there; null where the engine cannot see it. */
type Sign = readonly Condition[] | null

const form = '@rx (?i)\\A\\x20*application/x-www-form-urlencoded'

function signOf(scheme: JsonObject, alphabet: Alphabet): Sign {
  const text = (word: string): string => {
    const value = scheme[word]
    return typeof value === 'string' ? value : ''
  }
  const authorization = (operator: string): Condition => ({ variables: 'REQUEST_HEADERS:Authorization', operator })
  switch (text('type').toLowerCase()) {
    case 'apikey': {
      const collection = { header: 'REQUEST_HEADERS', query: 'ARGS_GET', cookie: 'REQUEST_COOKIES' }[text('in')]
      if (collection === undefined || text('name') === '') return null
      return [{ variables: memberOf(collection, text('name'), alphabet), operator: '@rx .' }]
    }
    case 'basic':
      return [authorization('@rx (?i)\\Abasic\\x20')]
    case 'http':
      return text('scheme') === ''
        ? null
        : [authorization(`@rx (?i)\\A${literal(text('scheme'), alphabet)}(?:\\x20|\\z)`)]
    case 'oauth2':
    case 'openidconnect':
      // A token may be in the header, in a form, or in the query (RFC 6750, section 2).
      return [
        authorization('@rx .'),
        { variables: 'ARGS_GET:access_token', operator: '@rx .' },
        { variables: 'REQUEST_HEADERS:Content-Type', operator: form },
      ]
    default:
      return null
  }
}

/** The credentials of a document and the rules that look for them. */
export class Credentials {
  private readonly context: Context
  /** Numbers of the schemes that are looked for; null for one that cannot be seen. */
  private readonly numbers = new Map<string, number | null>()
  private readonly schemes: PlacedValue | null

  constructor(context: Context) {
    this.context = context
    const { side } = context
    this.schemes = side.at(side.dialect === 'swagger-2.0' ? ['securityDefinitions'] : ['components', 'securitySchemes'])
  }

  /** Names of the query in which a credential may be. */
  get queryNames(): string[] {
    return this.context.side.members(this.schemes).flatMap(([, { value }]) => {
      if (!isObject(value)) return []
      if (value.type === 'apiKey' && value.in === 'query' && typeof value.name === 'string') return [value.name]
      return value.type === 'oauth2' || value.type === 'openIdConnect' ? ['access_token'] : []
    })
  }

  /** Rules that note which credentials a request has. */
  prepare(): void {
    if (this.context.mode('security') === 'off') return
    for (const [name, { value }] of this.context.side.members(this.schemes)) {
      const sign = isObject(value) ? signOf(value, this.context.alphabet) : null
      const number = sign === null ? null : this.numbers.size + 1
      this.numbers.set(name, number)
      for (const condition of sign ?? [])
        this.context.rules.flow(1, [condition], [`setvar:tx.svc_credential_${number}=1`])
    }
  }

  /** Refuses requests with the credentials of none of the requirements of an operation. */
  checksOf(endpoint: Endpoint): Check[] {
    const mode = this.context.mode('security')
    const conditions = this.missing(endpoint)
    if (mode === 'off' || conditions === null) return []
    const message = 'The request has none of the credentials that the document asks for.'
    const refusal: Refusal = { check: 'security', mode, status: 401, message, isSparable: false }
    return [{ conditions, refusal }]
  }

  /** The conditions under which a request has the credentials of none of the requirements of an operation; null for no such request. */
  private missing({ operation }: Endpoint): readonly Condition[] | null {
    const { losses } = this.context
    const { security } = operation
    if (this.context.mode('security') === 'off' || !security) return null
    if (!Array.isArray(security.value) || security.value.length === 0) return null
    const conditions: Condition[] = []
    for (const [i, requirement] of (security.value as readonly Json[]).entries()) {
      const names = isObject(requirement) ? Object.keys(requirement) : []
      const numbers = names.map((name) => this.numbers.get(name))
      const unseen = names.find((_, at) => numbers[at] === null || numbers[at] === undefined)
      // What asks for nothing is always fulfilled.
      if (numbers.every((it) => it === null || it === undefined)) {
        if (unseen !== undefined)
          losses.add('security', [...security.path, i], `The engine cannot see the credential "${unseen}".`)
        return null
      }
      if (unseen !== undefined)
        losses.add('security', [...security.path, i, unseen], `The engine cannot see the credential "${unseen}".`)
      const seen = numbers.filter((it) => typeof it === 'number')
      conditions.push({ variables: seen.map((it) => `&TX:svc_credential_${it}`).join('|'), operator: '@eq 0' })
    }
    return conditions
  }
}
