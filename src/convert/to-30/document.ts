/** OpenAPI 3.1 as OpenAPI 3.0.3. */
import type { Document } from '../../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { getPath, parseFragment } from '../../kernel/pointer.ts'
import type { Shape } from '../../document/validate/grammar.ts'
import { openapi30 } from '../../document/validate/openapi-30.ts'
import { openapi31 } from '../../document/validate/openapi-31.ts'
import { edit, rebuild } from '../../document/validate/rebuild.ts'
import type { Notes } from '../../import/notes.ts'
import { placeReferences } from './place-references.ts'
import { downgradeSchema, plainSchema } from './schema.ts'

const isSchemaShape = (shape: Shape | undefined): boolean =>
  shape?.kind === 'either' && shape.shapes.some((one) => one.kind === 'node' && one.name === 'Schema')

// The methods whose body 3.0 has clients ignore (RFC 7231 gives it no meaning).
const bodiless: ReadonlySet<string> = new Set(['get', 'head', 'delete'])

/** The conversion of one document. */
class DocumentDowngrade {
  readonly #content: JsonObject
  readonly #notes: Notes
  readonly #usedItems = new Set<string>()
  readonly #inlined = new Set<string>()

  constructor(content: JsonObject, notes: Notes) {
    this.#content = content
    this.#notes = notes
  }

  run(): JsonObject {
    const made = rebuild(openapi31, this.#content, (...of) => this.#change(...of))
    return this.#withoutPathItems(made)
  }

  #change(name: string, node: JsonObject, path: Path, reference: boolean): JsonObject {
    return reference ? this.#reference(node, path) : this.#node(name, this.#withPlainSchemas(name, node), path)
  }

  #node(name: string, node: JsonObject, path: Path): JsonObject {
    switch (name) {
      case 'Document':
        return this.#document(node)
      case 'Schema':
        return downgradeSchema(node, path, this.#notes, (ref) => this.#hasDiscriminator(ref))
      case 'Operation':
        return this.#operation(node, path)
      case 'PathItem':
        return this.#pathItem(node)
      case 'Parameter':
        // What the text of both versions requires, and the schema of 3.1 does not always.
        return this.#extend(name, node.in === 'path' ? { ...node, required: true } : node, path)
      case 'SecurityScheme':
        return this.#scheme(node, path)
      case 'SecurityRequirement':
        return this.#requirement(node, path)
      default:
        return this.#extend(name, node, path)
    }
  }

  // Boolean schemas of parameters, headers, media types and components, which the grammar does not see as nodes.
  #withPlainSchemas(name: string, node: JsonObject): JsonObject {
    if (name === 'Schema') return node
    if (typeof node.schema === 'boolean' && isSchemaShape(openapi31.nodes[name]?.fields.schema))
      return { ...node, schema: plainSchema(node.schema) }
    if (name !== 'Components' || !isObject(node.schemas)) return node
    const schemas = Object.entries(node.schemas).map(([key, schema]): [string, Json] => [key, plainSchema(schema)])
    return { ...node, schemas: Object.fromEntries(schemas) }
  }

  #document(node: JsonObject): JsonObject {
    const { jsonSchemaDialect: dialect } = node
    if (typeof dialect === 'string' && !/2020-12|spec\.openapis\.org\/oas\/3\.1/.test(dialect))
      this.#notes.add('schema-dialect', `Read schemas of the dialect "${dialect}" as JSON Schema 2020-12.`, [
        'jsonSchemaDialect',
      ])
    const made = this.#extend('Document', { openapi: '3.0.3', ...edit(node, ['openapi', 'jsonSchemaDialect']) }, [])
    return Object.hasOwn(made, 'paths') ? made : { ...made, paths: {} }
  }

  // Fields that 3.0 does not have become extensions.
  #extend(name: string, node: JsonObject, path: Path): JsonObject {
    const [later, known] = [openapi31.nodes[name], openapi30.nodes[name]]
    if (later === undefined) return node
    // They move to the places that refer to them.
    const isLeaving = (key: string): boolean => name === 'Components' && key === 'pathItems'
    const unknown = Object.keys(node).filter(
      (key) => Object.hasOwn(later.fields, key) && !Object.hasOwn(known?.fields ?? {}, key) && !isLeaving(key),
    )
    if (unknown.length === 0) return node
    for (const key of unknown)
      this.#notes.add('not-in-3.0', `OpenAPI 3.0 has no "${key}" here; kept it as "x-${key}".`, [...path, key])
    return Object.fromEntries(
      Object.entries(node).map(([key, value]): [string, Json] => [unknown.includes(key) ? `x-${key}` : key, value]),
    )
  }

  #operation(node: JsonObject, path: Path): JsonObject {
    if (node.requestBody !== undefined && bodiless.has(String(path.at(-1))))
      this.#notes.add(
        'body-without-effect',
        `OpenAPI 3.0 has clients ignore the body of ${String(path.at(-1)).toUpperCase()}.`,
        [...path, 'requestBody'],
      )
    const { responses } = node
    if (isObject(responses) && Object.keys(responses).some((key) => !key.startsWith('x-'))) return node
    this.#notes.add('responses-required', 'Added a default response, because OpenAPI 3.0 requires one.', path)
    return { ...node, responses: { ...(isObject(responses) ? responses : {}), default: { description: '' } } }
  }

  // A path item may refer to another file alone in 3.0: those of the document are written where they are used.
  #pathItem(node: JsonObject): JsonObject {
    const { $ref } = node
    const target = typeof $ref === 'string' ? parseFragment($ref) : null
    if (target === null || target[0] !== 'components' || target[1] !== 'pathItems') return node
    const name = target[2] ?? ''
    this.#usedItems.add(name)
    const found = getPath(this.#content, target)
    // One that contains itself ends at the reference.
    if (!isObject(found) || this.#inlined.has(name)) return node
    this.#inlined.add(name)
    const item = rebuild({ ...openapi31, root: 'PathItem' }, found, (type, inner, below, reference) =>
      this.#change(type, inner, [...target, ...below], reference),
    )
    this.#inlined.delete(name)
    return { ...item, ...edit(node, ['$ref']) }
  }

  #withoutPathItems(made: JsonObject): JsonObject {
    if (!isObject(made.components) || !isObject(made.components.pathItems)) return made
    for (const name of Object.keys(made.components.pathItems))
      if (!this.#usedItems.has(name))
        this.#notes.add('path-item-unused', `Removed the path item "${name}", which nothing uses.`, [
          'components',
          'pathItems',
          name,
        ])
    const components = edit(made.components, ['pathItems'])
    return Object.keys(components).length === 0 ? edit(made, ['components']) : { ...made, components }
  }

  #scheme(node: JsonObject, path: Path): JsonObject {
    if (node.type !== 'mutualTLS') return this.#extend('SecurityScheme', node, path)
    this.#notes.add('mutual-tls', 'Converted mutual TLS to an HTTP scheme that programs do not know.', [
      ...path,
      'type',
    ])
    return { ...edit(node, ['type']), type: 'http', scheme: 'mutualTLS' }
  }

  #requirement(node: JsonObject, path: Path): JsonObject {
    const roles = Object.entries(node).filter(([name, list]) => {
      const scheme = getPath(this.#content, ['components', 'securitySchemes', name])
      const hasScopes = isObject(scheme) && (scheme.type === 'oauth2' || scheme.type === 'openIdConnect')
      return isObject(scheme) && typeof scheme.type === 'string' && !hasScopes && Array.isArray(list) && list.length > 0
    })
    for (const [name] of roles)
      this.#notes.add('security-roles', `Removed the roles of "${name}", which OpenAPI 3.0 does not have.`, [
        ...path,
        name,
      ])
    return roles.length === 0 ? node : { ...node, ...Object.fromEntries(roles.map(([name]) => [name, []])) }
  }

  #hasDiscriminator(ref: string): boolean {
    const target = ref.startsWith('#') ? parseFragment(ref) : null
    const schema = target === null ? undefined : getPath(this.#content, target)
    return isObject(schema) && schema.discriminator !== undefined
  }

  #reference(node: JsonObject, path: Path): JsonObject {
    const texts = Object.keys(node).filter((key) => key !== '$ref')
    if (texts.length === 0) return node
    this.#notes.add(
      'reference-texts',
      `Removed ${texts.map((key) => `"${key}"`).join(' and ')} beside "$ref", which OpenAPI 3.0 ignores.`,
      path,
    )
    return { $ref: node.$ref as Json }
  }
}

/**
 * An OpenAPI 3.1 document as 3.0.3 that accepts the same requests and responses, unless a loss is noted.
 *
 * @param document its `value` is of OpenAPI 3.1, and self-contained
 */
export function downgradeOpenapi31(document: Document, notes: Notes): JsonObject {
  return new DocumentDowngrade(placeReferences(document, notes), notes).run()
}
