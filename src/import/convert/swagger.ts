import { isObject, type Json, type JsonObject, type Path, entriesOf } from '../../kernel/json.ts'
import { getPath, parseFragment } from '../../kernel/pointer.ts'
import { edit, rebuild } from '../../document/validate/rebuild.ts'
import { swagger20 } from '../../document/validate/swagger.ts'
import type { Notes } from '../notes.ts'
import { componentNames, moveReference } from './component-names.ts'
import { upgradeSchema, upgradeSchemaReference } from './openapi-30.ts'
import {
  convertBody,
  convertForm,
  convertHeader,
  convertParameter,
  convertScheme,
  extensions,
} from './swagger-values.ts'
import { moveSchemaPlace } from './swagger-places.ts'

const texts = (value: Json | undefined): readonly string[] | null =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : null

const keysOf = (value: Json | undefined): string[] => (isObject(value) ? Object.keys(value) : [])

interface Placed {
  readonly node: JsonObject
  readonly path: Path
  /** The name in `parameters` of the document, where it was referred to. */
  readonly name: string | null
}

/** Converts one Swagger 2.0 document. */
class SwaggerConversion {
  readonly #source: JsonObject
  readonly #original: JsonObject
  readonly #notes: Notes
  readonly #names: Readonly<
    Record<'definitions' | 'parameters' | 'responses' | 'securityDefinitions', ReadonlyMap<string, string>>
  >

  constructor(content: JsonObject, notes: Notes) {
    this.#notes = notes
    this.#names = {
      definitions: componentNames(keysOf(content.definitions)),
      parameters: componentNames(keysOf(content.parameters)),
      responses: componentNames(keysOf(content.responses)),
      securityDefinitions: componentNames(keysOf(content.securityDefinitions)),
    }
    for (const [area, names] of Object.entries(this.#names))
      for (const [from, to] of names)
        if (from !== to)
          notes.add('renamed', `Renamed "${from}" to "${to}", because OpenAPI 3 does not allow the name.`, [area, from])
    this.#noteUnused(content)
    this.#original = content
    this.#source = rebuild(swagger20, content, (name, node, path, reference) =>
      this.#schema(name, node, path, reference),
    )
  }

  run(): JsonObject {
    const source = this.#source
    const servers = this.#servers(texts(source.schemes), ['schemes'])
    const security = Array.isArray(source.security) ? { security: this.#security(source.security) } : {}
    const components = this.#components()
    return {
      openapi: '3.1.0',
      info: isObject(source.info) ? source.info : { title: '', version: '' },
      ...(servers.length > 0 ? { servers } : {}),
      ...(Array.isArray(source.tags) ? { tags: source.tags } : {}),
      ...security,
      paths: Object.fromEntries(
        entriesOf(source.paths).map(([path, item]): [string, Json] => [
          path,
          isObject(item) && !path.startsWith('x-') ? this.#pathItem(item, ['paths', path]) : item,
        ]),
      ),
      ...(Object.keys(components).length > 0 ? { components } : {}),
      ...(isObject(source.externalDocs) ? { externalDocs: source.externalDocs } : {}),
      ...extensions(source),
    }
  }

  #schema(name: string, node: JsonObject, path: Path, reference: boolean): JsonObject {
    if (name !== 'Schema') return node
    if (reference) return this.#moveSchema(upgradeSchemaReference(node, path, this.#notes), path)
    const extra: Record<string, Json> = {}
    const without: string[] = []
    if (typeof node.discriminator === 'string')
      extra.discriminator = { propertyName: node.discriminator, ...this.#mapping(path) }
    if (typeof node['x-nullable'] === 'boolean') {
      without.push('x-nullable')
      extra.nullable = node['x-nullable']
    }
    if (Array.isArray(node.items)) {
      without.push('items')
      extra.prefixItems = node.items
    }
    if (node.type === 'file') {
      extra.type = 'string'
      extra.contentMediaType = 'application/octet-stream'
    }
    const changed = without.length > 0 || Object.keys(extra).length > 0
    return upgradeSchema(changed ? edit(node, without, extra) : node, path, this.#notes)
  }

  #moveSchema(node: JsonObject, path: Path): JsonObject {
    const ref = String(node.$ref)
    const moved = moveReference(ref, ['definitions'], '#/components/schemas', this.#names.definitions)
    if (moved !== null) return { ...node, $ref: moved }
    // "Pet" alone was a common way of writing "#/definitions/Pet".
    const bare = this.#names.definitions.get(ref)
    if (bare !== undefined) return { ...node, $ref: `#/components/schemas/${bare}` }
    const place = moveSchemaPlace(this.#original, ref)
    if (place !== null) return { ...node, $ref: place }
    if (ref.startsWith('#'))
      this.#notes.add('deep-reference', `"${ref}" refers to a part that has a different structure in OpenAPI 3.1.`, [
        ...path,
        '$ref',
      ])
    return node
  }

  // The value of a discriminator is the name of a schema: one that had to be renamed is mapped to its new name.
  #mapping(path: Path): JsonObject {
    const [area, base] = path
    const names = this.#names.definitions
    if (area !== 'definitions' || path.length !== 2) return {}
    const isKind = ([name, node]: [string, Json]): boolean =>
      name === base ||
      (isObject(node) &&
        Array.isArray(node.allOf) &&
        (node.allOf as readonly Json[]).some(
          (one) => isObject(one) && typeof one.$ref === 'string' && parseFragment(one.$ref)?.[1] === base,
        ))
    const kinds = entriesOf(this.#original.definitions)
      .filter(isKind)
      .map(([name]) => name)
    if (kinds.every((name) => names.get(name) === name)) return {}
    return {
      mapping: Object.fromEntries(kinds.map((name) => [name, `#/components/schemas/${names.get(name) ?? name}`])),
    }
  }

  // Form fields are written out where they are used: OpenAPI 3 has no section for unused shared ones.
  #noteUnused(content: JsonObject): void {
    const text = JSON.stringify(content.paths ?? {})
    for (const [name, node] of entriesOf(content.parameters))
      if (isObject(node) && node.in === 'formData' && !text.includes(JSON.stringify(`#/parameters/${name}`)))
        this.#notes.add('form-field-unused', `Removed the unused shared form field "${name}".`, ['parameters', name])
  }

  #servers(schemes: readonly string[] | null, path: Path): JsonObject[] {
    const { host, basePath } = this.#source
    const base = typeof basePath === 'string' ? basePath.replace(/\/+$/, '') : ''
    if (typeof host !== 'string' || host === '') {
      if (schemes !== null && schemes.length > 0)
        this.#notes.add(
          'schemes-without-host',
          `Removed the schemes ${schemes.map((scheme) => `"${scheme}"`).join(', ')}: OpenAPI 3.1 cannot express them without "host".`,
          path,
        )
      return base === '' ? [] : [{ url: base }]
    }
    if (schemes === null || schemes.length === 0) return [{ url: `//${host}${base}` }]
    return schemes.map((scheme) => ({ url: `${scheme}://${host}${base}` }))
  }

  #security(requirements: readonly Json[]): Json[] {
    const names = this.#names.securityDefinitions
    return requirements.map((one) =>
      Object.fromEntries(entriesOf(one).map(([name, scopes]): [string, Json] => [names.get(name) ?? name, scopes])),
    )
  }

  #components(): JsonObject {
    const source = this.#source
    const produces = texts(source.produces) ?? []
    const consumes = texts(source.consumes) ?? []
    const parameters: [string, Json][] = []
    const requestBodies: [string, Json][] = []
    for (const [name, node] of entriesOf(source.parameters)) {
      if (!isObject(node)) continue
      const safe = this.#names.parameters.get(name) ?? name
      // Form fields are written out where they are used.
      if (node.in === 'body') requestBodies.push([safe, convertBody(node, consumes)])
      else if (node.in !== 'formData')
        parameters.push([safe, convertParameter(node, ['parameters', name], this.#notes)])
    }
    const groups: readonly (readonly [string, [string, Json][]])[] = [
      [
        'schemas',
        entriesOf(source.definitions).map(([name, node]) => [this.#names.definitions.get(name) ?? name, node]),
      ],
      [
        'responses',
        entriesOf(source.responses).map(([name, node]) => [
          this.#names.responses.get(name) ?? name,
          this.#response(node, ['responses', name], produces),
        ]),
      ],
      ['parameters', parameters],
      ['requestBodies', requestBodies],
      [
        'securitySchemes',
        entriesOf(source.securityDefinitions).map(([name, node]) => [
          this.#names.securityDefinitions.get(name) ?? name,
          isObject(node) ? convertScheme(node) : node,
        ]),
      ],
    ]
    return Object.fromEntries(
      groups.filter(([, entries]) => entries.length > 0).map(([name, entries]) => [name, Object.fromEntries(entries)]),
    )
  }

  #pathItem(item: JsonObject, path: Path): JsonObject {
    const shared = this.#parameters(item.parameters, [...path, 'parameters'])
    const plain = shared.filter(({ node }) => node.in !== 'body' && node.in !== 'formData')
    const inherited = shared.filter((one) => !plain.includes(one))
    const converted = Object.entries(item).flatMap(([key, node]): [string, Json][] => {
      if (key === 'parameters') return plain.length > 0 ? [[key, plain.map((one) => this.#parameter(one))]] : []
      if (key === '$ref' || key.startsWith('x-') || !isObject(node)) return [[key, node]]
      return [[key, this.#operation(node, [...path, key], inherited)]]
    })
    return Object.fromEntries(converted)
  }

  #parameters(value: Json | undefined, path: Path): Placed[] {
    if (!Array.isArray(value)) return []
    return (value as readonly Json[]).flatMap((node, index): Placed[] => {
      if (!isObject(node)) return []
      const at = [...path, index]
      if (typeof node.$ref !== 'string') return [{ node, path: at, name: null }]
      const target = node.$ref.startsWith('#') ? parseFragment(node.$ref) : null
      const found = target === null ? undefined : getPath(this.#source, target)
      if (!isObject(found)) return [{ node, path: at, name: null }]
      const name = target?.length === 2 && target[0] === 'parameters' ? (target[1] ?? null) : null
      return [{ node: found, path: at, name }]
    })
  }

  #parameter({ node, path, name }: Placed): JsonObject {
    if (name !== null) return { $ref: `#/components/parameters/${this.#names.parameters.get(name) ?? name}` }
    return typeof node.$ref === 'string' ? node : convertParameter(node, path, this.#notes)
  }

  #operation(node: JsonObject, path: Path, inherited: readonly Placed[]): JsonObject {
    const consumes = texts(node.consumes) ?? texts(this.#source.consumes) ?? []
    const produces = texts(node.produces) ?? texts(this.#source.produces) ?? []
    const own = this.#parameters(node.parameters, [...path, 'parameters'])
    const names = new Set(own.filter(({ node }) => node.in === 'formData').map(({ node }) => node.name))
    const ownBody = own.some(({ node }) => node.in === 'body')
    const every = [...inherited.filter(({ node }) => (node.in === 'body' ? !ownBody : !names.has(node.name))), ...own]
    const plain = every.filter(({ node }) => node.in !== 'body' && node.in !== 'formData')
    const schemes = texts(node.schemes)
    const servers = schemes === null ? [] : this.#servers(schemes, [...path, 'schemes'])
    const body = this.#body(every, consumes, Object.hasOwn(node, 'consumes'))
    const rest = edit(node, ['parameters', 'consumes', 'produces', 'schemes', 'responses', 'security'])
    return {
      ...rest,
      ...(plain.length > 0 ? { parameters: plain.map((one) => this.#parameter(one)) } : {}),
      ...(body === null ? {} : { requestBody: body }),
      responses: Object.fromEntries(
        entriesOf(node.responses).map(([status, response]): [string, Json] => [
          status,
          status.startsWith('x-') ? response : this.#response(response, [...path, 'responses', status], produces),
        ]),
      ),
      ...(Array.isArray(node.security) ? { security: this.#security(node.security) } : {}),
      ...(servers.length > 0 ? { servers } : {}),
    }
  }

  #body(parameters: readonly Placed[], consumes: readonly string[], ownTypes: boolean): JsonObject | null {
    const fields = parameters.filter(({ node }) => node.in === 'formData')
    const [body] = parameters.filter(({ node }) => node.in === 'body')
    if (body !== undefined) {
      if (fields.length > 0)
        this.#notes.add('body-and-form', 'Removed the form fields next to a body parameter.', body.path)
      // A shared body was converted with the media types of the whole document.
      if (body.name !== null && !ownTypes)
        return { $ref: `#/components/requestBodies/${this.#names.parameters.get(body.name) ?? body.name}` }
      return convertBody(body.node, consumes)
    }
    return fields.length > 0 ? convertForm(fields, consumes, ownTypes, this.#notes) : null
  }

  #response(value: Json, path: Path, produces: readonly string[]): Json {
    if (!isObject(value)) return value
    if (typeof value.$ref === 'string') {
      const moved = moveReference(value.$ref, ['responses'], '#/components/responses', this.#names.responses)
      return moved === null ? value : { $ref: moved }
    }
    const examples = isObject(value.examples) ? value.examples : {}
    const { schema } = value
    const types = schema === undefined ? [] : produces.length > 0 ? produces : ['*/*']
    const content = [...new Set([...types, ...Object.keys(examples).filter((type) => type.includes('/'))])].map(
      (type): [string, Json] => [
        type,
        {
          ...(schema === undefined ? {} : { schema }),
          ...(Object.hasOwn(examples, type) ? { example: examples[type] as Json } : {}),
        },
      ],
    )
    for (const name of Object.keys(examples))
      if (!name.includes('/'))
        this.#notes.add('example-type', `Removed the example "${name}", whose name is not a media type.`, [
          ...path,
          'examples',
          name,
        ])
    const headers = entriesOf(value.headers).map(([name, node]): [string, Json] => [
      name,
      isObject(node) ? convertHeader(node, [...path, 'headers', name], this.#notes) : node,
    ])
    return {
      description: typeof value.description === 'string' ? value.description : '',
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
      ...extensions(value),
    }
  }
}

/** A Swagger 2.0 document as OpenAPI 3.1.0; what has no counterpart there is noted. */
export const convertSwagger = (content: JsonObject, notes: Notes): JsonObject =>
  new SwaggerConversion(content, notes).run()
