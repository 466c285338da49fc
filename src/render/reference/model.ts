/** An API description as a reference for people: what its pages in HTML and Markdown have in common. */
import { withLaterOperations } from '../../import/convert/openapi-32.ts'
import { methodsByUse, operationsIn } from '../../kernel/methods.ts'
import type {
  Example,
  Media,
  NamedSchema,
  OperationEntry,
  Parameter,
  Response,
  SecurityScheme,
  Server,
} from '../../api/reader.ts'
import { isObject, type Json, type JsonObject, listOf } from '../../kernel/json.ts'
import { getPath, parseFragment } from '../../kernel/pointer.ts'
import { type Direction, type Sampler, writeSample } from './sample.ts'
import { type Budget, viewSchema } from './schema-view.ts'

export type { Example, Media, OperationEntry, Parameter, Response } from '../../api/reader.ts'

export interface Group {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly operations: readonly OperationEntry[]
}

/** Everything that a reference shows. */
export interface Reference {
  readonly title: string
  readonly version: string
  readonly summary: string
  readonly description: string
  readonly servers: readonly Server[]
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly security: readonly SecurityScheme[]
  readonly groups: readonly Group[]
  readonly schemas: readonly NamedSchema[]
}

const mostViews = 250_000
const longestExample = 6000

const text = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '')
const entries = (value: Json | undefined): [string, Json][] =>
  isObject(value) ? Object.entries(value).filter(([key]) => !key.startsWith('x-')) : []

/** Makes ids of texts: letters, digits, "-", "_" and ".", each once. */
class Ids {
  /** Those that the page has itself. */
  readonly #taken = new Set(['content', 'found', 'menu', 'schemas', 'search', 'theme'])

  of(words: string): string {
    const base = words.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'part'
    let id = base
    for (let count = 2; this.#taken.has(id); count++) id = `${base}-${count}`
    this.#taken.add(id)
    this.#taken.add(`${id}-title`)
    return id
  }
}

class Reader {
  readonly #root: JsonObject
  readonly #ids = new Ids()
  readonly #budget: Budget
  readonly #sampler: Sampler

  constructor(root: JsonObject, sampler: Sampler) {
    this.#root = root
    this.#sampler = sampler
    const components = isObject(root.components) ? root.components : {}
    this.#budget = { left: mostViews, schemas: isObject(components.schemas) ? components.schemas : {} }
  }

  read(): Reference {
    const info = isObject(this.#root.info) ? this.#root.info : {}
    const components = isObject(this.#root.components) ? this.#root.components : {}
    const groups = this.#groups()
    return {
      title: text(info.title) || 'API',
      version: text(info.version),
      summary: text(info.summary),
      description: text(info.description),
      servers: this.#servers(this.#root.servers),
      facts: this.#facts(info),
      security: entries(components.securitySchemes).map(([name, it]) => this.#scheme(name, this.#follow(it))),
      groups,
      schemas: entries(components.schemas).map(([name, schema]) => ({
        id: this.#ids.of(`schema-${name}`),
        name,
        view: viewSchema(schema, this.#budget),
      })),
    }
  }

  #follow(value: Json | undefined): JsonObject {
    let found = value
    let beside: JsonObject = {}
    for (let hops = 0; isObject(found) && typeof found.$ref === 'string' && hops < 50; hops++) {
      const { $ref, ...more } = found
      beside = { ...more, ...beside }
      const path = $ref.startsWith('#') ? parseFragment($ref) : null
      found = path === null ? undefined : getPath(this.#root, path)
    }
    return isObject(found) ? { ...found, ...beside } : {}
  }

  #facts(info: JsonObject): [string, string][] {
    const contact = isObject(info.contact) ? info.contact : {}
    const license = isObject(info.license) ? info.license : {}
    const external = isObject(this.#root.externalDocs) ? this.#root.externalDocs : {}
    const all: [string, string][] = [
      ['Contact', [text(contact.name), text(contact.email), text(contact.url)].filter(Boolean).join(', ')],
      ['License', [text(license.name), text(license.identifier), text(license.url)].filter(Boolean).join(', ')],
      ['Terms of service', text(info.termsOfService)],
      ['More documentation', [text(external.description), text(external.url)].filter(Boolean).join(', ')],
    ]
    return all.filter(([, value]) => value !== '')
  }

  #servers(servers: Json | undefined): Server[] {
    return listOf(servers)
      .filter(isObject)
      .map((entry) => ({
        url: text(entry.url),
        description: text(entry.description),
        variables: entries(entry.variables).map(([name, value]) => {
          const variable = isObject(value) ? value : {}
          return {
            name,
            value: text(variable.default),
            choices: listOf(variable.enum).map(String),
            description: text(variable.description),
          }
        }),
      }))
  }

  #scheme(name: string, jsonObject: JsonObject): SecurityScheme {
    const detail = {
      apiKey: `${text(jsonObject.name)} in ${text(jsonObject.in)}`,
      http: text(jsonObject.scheme),
      openIdConnect: text(jsonObject.openIdConnectUrl),
    }[text(jsonObject.type)]
    const flows = entries(jsonObject.flows).map(([flow, value]) => {
      const scopes = isObject(value) ? Object.keys(isObject(value.scopes) ? value.scopes : {}) : []
      return scopes.length === 0 ? flow : `${flow} with the scopes ${scopes.join(', ')}`
    })
    const kind = [text(jsonObject.type), detail ?? '', ...flows].filter(Boolean).join(': ')
    const isKey = jsonObject.type === 'apiKey'
    return {
      name,
      kind,
      description: text(jsonObject.description),
      type: text(jsonObject.type),
      scheme: text(jsonObject.scheme).toLowerCase(),
      carrier: isKey ? text(jsonObject.name) : '',
      place: isKey ? text(jsonObject.in) : '',
    }
  }

  #groups(): Group[] {
    const found = [...this.#operationsOf(this.#root.paths, ''), ...this.#operationsOf(this.#root.webhooks, 'webhook ')]
    const declared = new Map(
      listOf(this.#root.tags).flatMap((it) =>
        isObject(it) && text(it.name) !== '' ? [[text(it.name), text(it.description)] as const] : [],
      ),
    )
    const byTag = Map.groupBy(found, ({ tag }) => tag)
    const order = [...declared.keys(), ...[...byTag.keys()].filter((it) => !declared.has(it))]
    return order.flatMap((name) => {
      const operations = byTag.get(name)?.map(({ entry }) => entry) ?? []
      return operations.length === 0
        ? []
        : [
            {
              id: this.#ids.of(`tag-${name || 'operations'}`),
              name: name || 'Operations',
              description: declared.get(name) ?? '',
              operations,
            },
          ]
    })
  }

  #operationsOf(items: Json | undefined, prefix: string): { tag: string; entry: OperationEntry }[] {
    return entries(items).flatMap(([path, value]) => {
      const item = withLaterOperations(this.#follow(value))
      return Array.from(operationsIn(item, methodsByUse), ({ method, operation }) => {
        const tag = text(listOf(operation.tags)[0]) || (prefix === '' ? '' : 'Webhooks')
        return { tag, entry: this.#operation({ method, path, prefix }, operation, item) }
      })
    })
  }

  #operation(
    at: { readonly method: string; readonly path: string; readonly prefix: string },
    operation: JsonObject,
    item: JsonObject,
    isCallback = false,
  ): OperationEntry {
    const all = [...listOf(item.parameters), ...listOf(operation.parameters)].map((it) => this.#follow(it))
    const parameters = [...new Map(all.map((it) => [JSON.stringify([it.in ?? null, it.name ?? null]), it])).values()]
    const body = operation.requestBody === undefined ? null : this.#follow(operation.requestBody)
    return {
      id: this.#ids.of(`${at.prefix}${at.method.toLowerCase()}-${at.path.replaceAll(/[{}]/g, '').replace(/^\//, '')}`),
      method: at.method,
      path: at.path,
      isWebhook: at.prefix === 'webhook ',
      summary: text(operation.summary) || text(item.summary),
      operationId: text(operation.operationId),
      description: text(operation.description) || text(item.description),
      deprecated: operation.deprecated === true,
      parameters: parameters.map((it) => this.#parameter(text(it.name), text(it.in), it)),
      body:
        body === null
          ? null
          : {
              required: body.required === true,
              description: text(body.description),
              media: this.#media(body.content, 'request'),
            },
      responses: entries(operation.responses).map(([status, it]) => this.#response(status, this.#follow(it))),
      security: this.#security(operation.security ?? this.#root.security),
      schemes: listOf(operation.security ?? this.#root.security).map((it) => entries(it).map(([name]) => name)),
      servers: this.#servers(operation.servers ?? item.servers),
      callbacks: isCallback ? [] : this.#callbacks(operation.callbacks),
      ownSamples: listOf(operation['x-codeSamples'] ?? operation['x-code-samples'])
        .filter(isObject)
        .map((it) => ({ label: text(it.label) || text(it.lang), source: text(it.source) }))
        .filter(({ source }) => source !== ''),
    }
  }

  // What an API sends may call back again: that is not followed, so that it ends.
  #callbacks(callbacks: Json | undefined): OperationEntry['callbacks'] {
    return entries(callbacks).flatMap(([name, callback]) =>
      entries(this.#follow(callback)).flatMap(([to, value]) => {
        const item = withLaterOperations(this.#follow(value))
        return Array.from(operationsIn(item, methodsByUse), ({ method, operation }) => {
          const at = { method, path: to, prefix: `callback ${name} ` }
          return { name, to, operation: this.#operation(at, operation, item, true) }
        })
      }),
    )
  }

  #security(alternatives: Json | undefined): string[] {
    return listOf(alternatives).map((entry) => {
      const all = entries(entry).map(([name, scopes]) => {
        const named = listOf(scopes).map(String)
        return named.length === 0 ? name : `${name} (${named.join(', ')})`
      })
      return all.length === 0 ? 'none' : all.join(' and ')
    })
  }

  #parameter(name: string, place: string, jsonObject: JsonObject): Parameter {
    const [first] = Object.values<Json>(isObject(jsonObject.content) ? jsonObject.content : {})
    const schema = jsonObject.schema ?? this.#follow(first).schema
    return {
      name,
      place,
      required: jsonObject.required === true,
      deprecated: jsonObject.deprecated === true,
      description: text(jsonObject.description),
      view: schema === undefined ? null : viewSchema(schema, this.#budget),
      examples: this.#examples(jsonObject),
      sample: schema === undefined ? null : parameterText(this.#sampler(schema, 'request')),
    }
  }

  #media(content: Json | undefined, direction: Direction): Media[] {
    return entries(content).map(([type, value]) => {
      const it = this.#follow(value)
      const schema = it.schema ?? it.itemSchema
      return {
        type,
        view: schema === undefined ? null : viewSchema(schema, this.#budget),
        examples: this.#examples(it),
        sample: schema === undefined ? null : writeSample(type, this.#sampler(schema, direction)),
      }
    })
  }

  #examples(holder: JsonObject): Example[] {
    const named = entries(holder.examples).map(([name, value]): [string, Json | undefined] => {
      const it = this.#follow(value)
      return [text(it.summary) || name, it.dataValue ?? it.value ?? it.externalValue ?? it.serializedValue]
    })
    const all: [string, Json | undefined][] =
      holder.example === undefined ? named : [['Example', holder.example], ...named]
    return all.flatMap(([name, value]) => {
      if (value === undefined || this.#budget.left <= 0) return []
      this.#budget.left--
      const written = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
      return [{ name, text: written.length <= longestExample ? written : `${written.slice(0, longestExample)}\n…` }]
    })
  }

  #response(status: string, jsonObject: JsonObject): Response {
    return {
      status,
      description: text(jsonObject.description) || text(jsonObject.summary),
      headers: entries(jsonObject.headers).map(([name, header]) =>
        this.#parameter(name, 'header', this.#follow(header)),
      ),
      media: this.#media(jsonObject.content, 'response'),
    }
  }
}

const parameterText = (value: Json | undefined): string | null => {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map((it) => parameterText(it as Json) ?? '').join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Reads the reference of an API. What is used in many places is shown in each, up to 250,000 schemas in all.
 *
 * @param root a self-contained document of OpenAPI 3.1 or 3.2
 * @param sampler makes values for requests and answers; none are made when omitted
 */
export const readReference = (root: JsonObject, sampler: Sampler = () => undefined): Reference =>
  new Reader(root, sampler).read()
