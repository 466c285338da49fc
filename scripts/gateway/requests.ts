/** Requests of a document: those that it describes, and for each one that it does not. */
import type { MediaType, Operation, Parameter } from '../../src/diff/model/api.ts'
import { readMediaType } from '../../src/diff/model/media-type.ts'
import { operationsOf, pathsOf } from '../../src/diff/model/openapi.ts'
import { objectAt, pointerOf, type Side } from '../../src/diff/side.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'
import { isForm } from '../../src/gateway/positive/forms.ts'
import { prefixesOf } from '../../src/gateway/positive/path.ts'
import type { PositiveCheck } from '../../src/gateway-policy/model.ts'
import { Samples } from './samples.ts'
import { pairsOf, textIn, textOf } from './serialise.ts'

/** A request with what is expected of it. */
export interface Expected {
  readonly id: string
  readonly method: string
  readonly uri: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /**
   * Null where it has to pass; else the check that is to refuse it. If it does not, the operation is listed, or something at or below
   * one of the places of the scope.
   */
  readonly refusedBy: {
    readonly check: PositiveCheck
    readonly scope: readonly string[]
    readonly operation: string
  } | null
}

interface Draft {
  readonly values: Map<string, Json>
  readonly headers: [string, string][]
  body: string
  type: string | null
  /** Texts of parameters in place of their values. */
  readonly texts: Map<string, string>
  readonly extraQuery: [string, string][]
}

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`)

/** Texts that are often wrong. */
const texts = [
  'x',
  '',
  '-1',
  '1.5',
  '99999999999999999999',
  'true',
  'null',
  'a b',
  '2021-13-45',
  '~',
  'é',
  `q${'z'.repeat(900)}`,
]

const methodsOf = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'TRACE'] as const

/** Makes the requests of one document. */
export class Requests {
  readonly list: Expected[] = []
  /** Operations for which no request could be made. */
  readonly without: string[] = []
  private readonly side: Side
  private readonly samples: Samples

  constructor(side: Side) {
    this.side = side
    this.samples = new Samples(side)
  }

  make(): void {
    const operations = [...pathsOf(this.side)].flatMap(([template, item]) => operationsOf(this.side, item, template))
    const methods = new Map<string, Set<string>>()
    for (const { template, method } of operations) {
      const shape = template.replaceAll(/\{[^{}]*\}/g, '{}')
      methods.set(shape, (methods.get(shape) ?? new Set()).add(method))
    }
    const variables = operations.some((it) => /\/[^/]*\{[^/]*$/.test(it.template))
    for (const it of operations) {
      if (/[?#]/.test(it.template)) continue
      const free = methodsOf.find(
        (method) => !variables && methods.get(it.template.replaceAll(/\{[^{}]*\}/g, '{}'))?.has(method) !== true,
      )
      this.operation(it, free ?? null)
    }
  }

  private operation(operation: Operation, free: string | null): void {
    const label = `${operation.method} ${operation.template}`
    const full = this.draft(operation, true)
    const least = this.draft(operation, false)
    if (full === null || least === null) {
      this.without.push(label)
      return
    }
    const at = pointerOf(operation.place.path)
    this.add(operation, `${label} with everything`, full, null)
    this.add(operation, `${label} with what is required`, least, null)
    this.add(
      operation,
      `${label} with another query`,
      { ...full, extraQuery: [['svc-unknown', '1']] },
      { check: 'undeclaredQuery', scope: [], operation: at },
    )
    if (free !== null)
      this.push(
        `${label} with the method ${free}`,
        { ...this.request(operation, full), method: free },
        { check: 'method', scope: [], operation: at },
      )
    const nowhere = this.request(operation, full)
    this.push(
      `${label} elsewhere`,
      { ...nowhere, uri: `/svc-nowhere${nowhere.uri}` },
      { check: 'unknownOperation', scope: [], operation: at },
    )
    for (const parameter of operation.parameters.values()) this.parameter(operation, label, full, parameter)
    this.security(operation, label, full)
    this.bodies(operation, label, full)
  }

  private draft(operation: Operation, full: boolean): Draft | null {
    const values = new Map<string, Json>()
    for (const [key, it] of operation.parameters) {
      if (!full && !it.required && it.in !== 'path') continue
      const place = it.schema ?? [...it.content.values()][0]?.schema ?? null
      const value = place === null ? 'a' : this.samples.of(place)
      if (value === undefined || (it.in === 'path' && textOf(value) === '')) {
        if (it.required) return null
        continue
      }
      values.set(key, it.content.size > 0 ? JSON.stringify(value) : value)
    }
    const draft: Draft = {
      values,
      headers: this.credentials(operation),
      body: '',
      type: null,
      texts: new Map(),
      extraQuery: [],
    }
    const { body } = operation
    const type = body && (full || body.required) ? [...body.content.values()][0] : undefined
    if (type && !this.writeSample(draft, type)) return null
    return draft
  }

  /** Writes a sample of the media type into the draft. */
  private writeSample(draft: Draft, type: MediaType): boolean {
    const { essence } = readMediaType(type.name)
    const sample = type.schema === null ? undefined : this.samples.of(type.schema)
    const sent = essence.includes('*') ? 'application/json' : essence
    draft.type = sent === 'multipart/form-data' ? `${sent}; boundary=svc` : sent
    if (isForm(type)) {
      if (!isObject(sample)) return false
      draft.body = this.form(sample, type)
      if (draft.body === '') draft.body = '&'
      return true
    }
    if (/[/+]json$/.test(sent)) {
      if (sample === undefined && type.schema !== null) return false
      draft.body = JSON.stringify(sample === undefined ? {} : sample)
    } else
      draft.body =
        sent === 'multipart/form-data'
          ? '--svc\r\nContent-Disposition: form-data; name="a"\r\n\r\na\r\n--svc--\r\n'
          : 'a'
    return true
  }

  private form(value: Json, type: MediaType): string {
    const encodings = objectAt(type.encoding)
    const pairs = Object.entries(isObject(value) ? value : {}).flatMap(([name, it]) => {
      const given = isObject(encodings[name])
        ? (encodings[name] as { readonly style?: Json; readonly explode?: Json })
        : {}
      const style = typeof given.style === 'string' ? given.style : 'form'
      if (isObject(it) && style === 'form') return [[name, JSON.stringify(it)] as [string, string]]
      if (Array.isArray(it) && style === 'deepObject')
        return (it as readonly Json[]).map((one, i): [string, string] => [`${name}[${i}]`, textOf(one)])
      return pairsOf(name, it, {
        style,
        explode: typeof given.explode === 'boolean' ? given.explode : style === 'form',
      })
    })
    return pairs.map(([name, text]) => `${encode(name)}=${encode(text)}`).join('&')
  }

  private credentials({ security }: Operation): [string, string][] {
    const [first] = Array.isArray(security?.value) ? (security.value as readonly Json[]) : []
    const schemes = this.side.at(
      this.side.dialect === 'swagger-2.0' ? ['securityDefinitions'] : ['components', 'securitySchemes'],
    )
    return Object.keys(isObject(first) ? first : {}).flatMap((name): [string, string][] => {
      const scheme = schemes === null ? {} : objectAt(this.side.member(schemes, name))
      const type = String(scheme.type)
      if (type === 'apiKey')
        return scheme.in === 'header'
          ? [[String(scheme.name), 'key']]
          : [[`svc-${String(scheme.in)}`, String(scheme.name)]]
      return [
        [
          'Authorization',
          type === 'basic' || (type === 'http' && String(scheme.scheme).toLowerCase() === 'basic')
            ? 'Basic YTpi'
            : 'Bearer token',
        ],
      ]
    })
  }

  private request(operation: Operation, draft: Draft): Omit<Expected, 'id' | 'refusedBy'> {
    const prefix = (prefixesOf(operation, { basePaths: [], stripPrefix: null })[0] ?? '').replaceAll('{*}', 'any')
    const query: [string, string][] = [...draft.extraQuery]
    const cookies: string[] = []
    const headers: [string, string][] = [
      ['Host', 'api.example'],
      ['User-Agent', 'svc'],
      ['Accept', '*/*'],
    ]
    for (const [name, value] of draft.headers)
      if (name === 'svc-query') query.push([value, 'key'])
      else if (name === 'svc-cookie') cookies.push(`${value}=key`)
      else headers.push([name, value])
    let path = operation.template
    for (const [key, it] of operation.parameters) {
      const value = draft.values.get(key)
      const text = draft.texts.get(key)
      if (value === undefined && text === undefined) continue
      if (it.in === 'path')
        path = path.replace(`{${it.name}}`, () =>
          text === undefined ? textIn(it.name, value ?? '', it, encode) : encode(text),
        )
      else if (it.in === 'header') headers.push([it.name, text ?? textIn(it.name, value ?? '', it, (one) => one)])
      else {
        const pairs = text === undefined ? pairsOf(it.name, value ?? '', it) : [[it.name, text] as [string, string]]
        if (it.in === 'cookie') cookies.push(...pairs.map(([name, one]) => `${name}=${encode(one)}`))
        else if (it.in === 'query') query.push(...pairs)
      }
    }
    if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')])
    if (draft.type !== null)
      headers.push(['Content-Type', draft.type], ['Content-Length', String(Buffer.byteLength(draft.body))])
    else if (operation.method !== 'GET') headers.push(['Content-Length', '0'])
    const asked = query.map(([name, text]) => `${encode(name)}=${encode(text)}`).join('&')
    return {
      method: operation.method,
      uri: `${prefix}${encodeURI(decodeURI(path))}${asked === '' ? '' : `?${asked}`}`,
      headers,
      body: draft.body,
    }
  }

  private push(id: string, request: Omit<Expected, 'id' | 'refusedBy'>, refusedBy: Expected['refusedBy']): void {
    this.list.push({ id: `${this.list.length} ${id}`, ...request, refusedBy })
  }

  private add(operation: Operation, id: string, draft: Draft, refusedBy: Expected['refusedBy']): void {
    this.push(id, this.request(operation, draft), refusedBy)
  }

  private parameter(operation: Operation, label: string, full: Draft, parameter: Parameter): void {
    const key = [...operation.parameters].find(([, it]) => it === parameter)?.[0] ?? ''
    const { schema, name } = parameter
    const scope = [pointerOf(parameter.place.path), ...(schema ? this.samples.reachOf(schema) : [])]
    const refusedBy = { check: 'parameters', scope, operation: pointerOf(operation.place.path) } as const
    if (parameter.required && parameter.in !== 'path' && full.values.has(key)) {
      const values = new Map([...full.values].filter(([it]) => it !== key))
      const sample = full.values.get(key)
      // An object without required properties may be sent as nothing.
      if (!isObject(sample) && !(Array.isArray(sample) && sample.length === 0))
        this.add(operation, `${label} without the ${parameter.in} parameter ${name}`, { ...full, values }, refusedBy)
    }
    if (!schema || parameter.in === 'cookie' || isObject(full.values.get(key))) return
    for (const text of texts) {
      if (parameter.in === 'path' && (text === '' || text.startsWith('.'))) continue
      if (parameter.in === 'header' && !/^[!-~]+$/.test(text)) continue
      if (text === '' && parameter.allowEmptyValue) continue
      if (this.readings(text, parameter).some((it) => this.samples.isValid(schema.value, it))) continue
      this.add(
        operation,
        `${label} with the ${parameter.in} parameter ${name} as ${text.slice(0, 30)}`,
        { ...full, texts: new Map([[key, text]]) },
        refusedBy,
      )
    }
  }

  /** What a text may mean. */
  private readings(text: string, { style, explode }: Parameter): Json[] {
    const scalars = (text: string): Json[] => [
      text,
      ...(/^-?[0-9]+(?:\.[0-9]+)?(?:e[0-9]+)?$/i.test(text) ? [Number(text)] : []),
      ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
      ...(text === 'null' || text === '' ? [null] : []),
    ]
    const items = explode && style === 'form' ? [text] : text.split(',')
    const lists = items.every((it) => scalars(it).length === 1)
      ? [items]
      : [items, items.map((it) => scalars(it)[1] ?? it)]
    return [...scalars(text), ...lists, ...(text === '' ? [[]] : [])]
  }

  private security(operation: Operation, label: string, full: Draft): void {
    const requirements = Array.isArray(operation.security?.value) ? (operation.security.value as readonly Json[]) : []
    if (requirements.length === 0 || requirements.some((it) => !isObject(it) || Object.keys(it).length === 0)) return
    if (full.type === 'application/x-www-form-urlencoded') return
    const names = new Set(full.headers.map(([name, value]) => (name.startsWith('svc-') ? value : name)))
    const values = new Map(
      [...full.values].filter(
        ([key]) =>
          ![...names].some((it) => key.toLowerCase().endsWith(it.toLowerCase()) || key.endsWith('access_token')),
      ),
    )
    const scope = operation.security ? [pointerOf(operation.security.path)] : []
    this.add(
      operation,
      `${label} without credentials`,
      { ...full, headers: [], values },
      { check: 'security', scope, operation: pointerOf(operation.place.path) },
    )
  }

  private bodies(operation: Operation, label: string, full: Draft): void {
    const { body } = operation
    if (body === null || body.content.size === 0) return
    const types = [...body.content.values()]
    const at = pointerOf(operation.place.path)
    if (body.required)
      this.add(
        operation,
        `${label} without a body`,
        { ...full, body: '', type: null },
        { check: 'contentType', scope: [], operation: at },
      )
    if (!types.some((it) => it.name.startsWith('*')))
      this.add(
        operation,
        `${label} with another type`,
        { ...full, type: 'application/x-svc', body: 'a' },
        { check: 'contentType', scope: [], operation: at },
      )
    for (const type of types) {
      const draft = { ...full }
      if (!type.schema || !this.writeSample(draft, type)) continue
      const scope = [pointerOf(type.place.path), ...this.samples.reachOf(type.schema)]
      const refusedBy = { check: 'body', scope, operation: at } as const
      this.add(operation, `${label} with ${type.name}`, draft, null)
      if (!/[/+]json$/.test(draft.type ?? '')) continue
      this.add(
        operation,
        `${label} with ${type.name} cut off`,
        { ...draft, body: `${draft.body.slice(0, -1)}{` },
        refusedBy,
      )
      const sample = JSON.parse(draft.body) as Json
      for (const [i, value] of this.samples.beside(type.schema, sample, 40).entries())
        this.add(
          operation,
          `${label} with ${type.name} changed ${i}`,
          { ...draft, body: JSON.stringify(value) },
          refusedBy,
        )
    }
  }
}
