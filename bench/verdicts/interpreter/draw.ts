/** Messages drawn at random that a description says can be sent. */
import type { Json, JsonObject, Message } from '../case.ts'
import { Drawer } from '../checker/draw.ts'
import { Random } from '../generator/random.ts'
import {
  resolved,
  textOf,
  type Answer,
  type Api,
  type Content,
  type Operation,
  type Parameter,
  type Requirement,
} from './model.ts'
import { isJsonType } from './read.ts'
import { writeFields, writeText } from './texts.ts'

const coded = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',')

/** Draws requests and responses of one description; constants and names of the other one are drawn as well. */
export class MessageDrawer {
  readonly #api: Api
  readonly #random: Random
  readonly #values: Drawer

  constructor(seed: string, api: Api, other: Api) {
    this.#api = api
    this.#random = new Random(`${seed}/messages`)
    this.#values = new Drawer(seed, api.document, [other.document])
  }

  draw(sent: 'request' | 'response'): Message {
    if (this.#api.operations.length === 0) throw new Error('The description has no operation to draw messages of')
    const operation = this.#random.pick(this.#api.operations)
    return sent === 'request' ? this.#request(operation) : this.#response(operation)
  }

  #value(schema: Json): Json {
    return this.#values.draw(schema)
  }

  #url(operation: Operation, query: readonly (readonly [string, string])[]): string {
    const server = this.#random.pick(operation.servers).replace(/\/$/, '')
    const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
      const parameter = operation.parameters.find((found) => found.in === 'path' && found.name === name)
      if (parameter === undefined) return 'x'
      return coded(this.#text(parameter)) || 'x'
    })
    const fields = query.map(([name, text]) => `${coded(name)}=${coded(text)}`)
    return server + path + (fields.length > 0 ? `?${fields.join('&')}` : '')
  }

  #text(parameter: Parameter): string {
    const value = this.#value(parameter.schema)
    return parameter.mediaType === undefined ? writeText(parameter, value) : JSON.stringify(value)
  }

  #fields(parameter: Parameter): (readonly [string, string])[] {
    const value = this.#value(parameter.schema)
    if (parameter.in === 'querystring') return writeFields({ name: '', style: 'form', explode: true }, value)
    return parameter.mediaType === undefined ? writeFields(parameter, value) : [[parameter.name, JSON.stringify(value)]]
  }

  #request(operation: Operation): Message {
    const random = this.#random
    const headers: Record<string, string> = {}
    const query: (readonly [string, string])[] = []
    const cookies: string[] = []
    for (const parameter of operation.parameters) {
      if (parameter.in === 'path' || (!parameter.required && random.next() < 0.4)) continue
      if (parameter.in === 'header') headers[parameter.name.toLowerCase()] = this.#text(parameter)
      else if (parameter.in === 'cookie')
        cookies.push(...this.#fields(parameter).map(([name, text]) => `${name}=${coded(text)}`))
      else query.push(...this.#fields(parameter))
    }
    const requirement = operation.security.length > 0 ? random.pick(operation.security) : []
    const scopes = requirement.flatMap((part) => part.scopes)
    this.#authorize(requirement, headers, query, cookies)
    if (cookies.length > 0) headers['cookie'] = cookies.join('; ')
    const body = this.#body(operation.body?.content, headers, operation.body?.required === true)
    const url = this.#url(operation, query)
    return { request: { method: operation.method, url, headers, ...body, ...(scopes.length > 0 ? { scopes } : {}) } }
  }

  #authorize(
    requirement: Requirement,
    headers: Record<string, string>,
    query: (readonly [string, string])[],
    cookies: string[],
  ): void {
    for (const { scheme } of requirement) {
      const name = textOf(scheme['name'])
      const type = textOf(scheme['type'])
      if (type !== 'apiKey') headers['authorization'] = authorizationOf(scheme, type)
      else if (scheme['in'] === 'query') query.push([name, 'key'])
      else if (scheme['in'] === 'cookie') cookies.push(`${name}=key`)
      else headers[name.toLowerCase()] = 'key'
      if (type === 'mutualTLS') headers['x-client-certificate'] = 'sent'
    }
  }

  #response(operation: Operation): Message {
    const random = this.#random
    const [status, answer] = random.pick<readonly [string, Answer | undefined]>(
      operation.answers.size > 0 ? [...operation.answers] : [['200', undefined]],
    )
    const headers: Record<string, string> = {}
    for (const header of answer?.headers ?? [])
      if (header.required || random.next() < 0.6) headers[header.name.toLowerCase()] = this.#text(header)
    const body = this.#body(answer?.content, headers, true)
    const url = this.#url(operation, [])
    const number = status === 'default' ? 500 : Number(status.replace(/XX$/i, '00'))
    return { response: { method: operation.method, url, status: number, headers, ...body } }
  }

  #body(
    content: ReadonlyMap<string, Content> | undefined,
    headers: Record<string, string>,
    isNeeded: boolean,
  ): { body?: Json } {
    if (content === undefined || content.size === 0 || (!isNeeded && this.#random.next() < 0.3)) return {}
    const [range, media] = this.#random.pick([...content])
    const type = range === '*/*' ? 'application/json' : range.replace('/*', '/plain')
    headers['content-type'] = type
    const { itemSchema } = media
    if (itemSchema !== undefined) return { body: [this.#value(itemSchema), this.#value(itemSchema)] }
    if (isJsonType(type) || type.startsWith('multipart/')) return { body: this.#value(media.schema) }
    if (type.startsWith('application/x-www-form-urlencoded')) return { body: this.#form(media) }
    return { body: writeText({ name: '', style: 'simple', explode: false }, this.#value(media.schema)) }
  }

  #form({ schema, encoding }: Content): string {
    const whole = this.#value(schema)
    const properties = Object.entries(
      typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? (whole as JsonObject) : {},
    )
    const fields = properties.flatMap(([name, value]) => {
      const own = resolved(this.#api.document, encoding[name]) as JsonObject | undefined
      const style = textOf(own?.['style'], 'form')
      const explode = typeof own?.['explode'] === 'boolean' ? own['explode'] : style === 'form'
      return writeFields({ name, style, explode }, value)
    })
    return fields.map(([name, text]) => `${coded(name)}=${coded(text)}`).join('&')
  }
}

function authorizationOf(scheme: JsonObject, type: string): string {
  if (type === 'basic') return 'Basic x'
  if (type === 'http') return `${textOf(scheme['scheme'])} x`
  return 'Bearer x'
}
