import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { formatFragment, followPath, parseFragment } from '../../kernel/pointer.ts'
import { resourcesOf, type Resources } from '../../document/resource.ts'
import { jsonSchema2020 } from '../../document/validate/json-schema.ts'
import { openapi31 } from '../../document/validate/openapi-31.ts'
import { rebuild } from '../../document/validate/rebuild.ts'
import type { Grammar } from '../../document/validate/grammar.ts'
import type { RenderFormat } from '../format.ts'
import type { RenderSource } from '../../import/render-source.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

const grammar: Grammar = {
  ...jsonSchema2020,
  nodes: { ...jsonSchema2020.nodes, Schema: openapi31.nodes.Schema ?? { fields: {} } },
}

// Collects definitions: every reference target becomes one, wherever it was in the OpenAPI document.
class Definitions {
  readonly #source: RenderSource
  readonly #order: ReadonlyMap<string, number>
  readonly #names = new Set<string>()
  readonly #found = new Map<string, Json>()
  // Schemas outside of the classes, by their new name.
  readonly #elsewhere = new Map<string, Path>()
  /** What references within schema resources mean; null where no schema has an identifier. */
  readonly #resources: Resources | null

  constructor(source: RenderSource) {
    this.#source = source
    const hasResources = Object.values(source.classes).some(hasIdentifier)
    const whole: Json = { openapi: '3.1.0', components: { schemas: source.classes } }
    this.#resources = hasResources ? resourcesOf(whole) : null
    this.#order = new Map(Object.keys(source.classes).map((name, index) => [name, index]))
  }

  add(name: string): void {
    this.#names.add(name)
  }

  gather(): JsonObject {
    // A set yields what is added to it while it is walked.
    for (const name of this.#names) this.#found.set(name, this.#convert(this.#read(name), name))
    return Object.fromEntries([...this.#found].sort(([a], [b]) => this.#rank(a) - this.#rank(b) || (a < b ? -1 : 1)))
  }

  // Classes keep the order of the document; other schemas follow by name.
  #rank(name: string): number {
    return this.#order.get(name) ?? this.#order.size
  }

  #read(name: string): Json {
    const { classes } = this.#source
    if (Object.hasOwn(classes, name)) return classes[name] as Json
    const path = this.#elsewhere.get(name)
    return path === undefined ? true : (followPath(this.#source.openapi, path)?.value ?? true)
  }

  #convert(schema: Json, of: string): Json {
    if (!isObject(schema)) return schema
    return rebuild(grammar, schema, (type, node, path) => {
      const stays = (ref: string) => this.#staysInResource(ref, ['components', 'schemas', of, ...path])
      if (type === 'Discriminator' && isObject(node.mapping))
        return {
          ...node,
          mapping: Object.fromEntries(
            Object.entries(node.mapping).map(([key, target]): [string, Json] => [
              key,
              typeof target === 'string' && !stays(target) ? this.#moveMapped(target) : target,
            ]),
          ),
        }
      if (type !== 'Schema') return node
      const moved = ['$ref', '$dynamicRef'].flatMap((key): [string, Json][] => {
        const ref = node[key]
        const target = typeof ref === 'string' && !stays(ref) ? this.#move(ref) : null
        return target === null ? [] : [[key, target]]
      })
      return moved.length === 0 ? node : { ...node, ...Object.fromEntries(moved) }
    })
  }

  // A reference to a schema resource by its identifier, or within one, means the same wherever the resource is.
  #staysInResource(ref: string, path: Path): boolean {
    const resources = this.#resources
    if (resources === null) return false
    const found = resources.resolve(ref, resources.along(path).at(-1) ?? resources.document)
    if (found === undefined || found.resource === resources.document) return false
    if (ref.startsWith('#/components/schemas/')) return false
    const [, , name] = found.path
    if (name !== undefined) this.add(String(name))
    return true
  }

  #moveMapped(target: string): string {
    if (!target.startsWith('#') && Object.hasOwn(this.#source.classes, target)) {
      this.add(target)
      return formatFragment(['$defs', target])
    }
    return this.#move(target) ?? target
  }

  #move(ref: string): string | null {
    const path = ref.startsWith('#/') ? parseFragment(ref) : null
    if (path === null) return null
    if (path[0] === 'components' && path[1] === 'schemas' && path[2] !== undefined) {
      this.add(path[2])
      return formatFragment(['$defs', ...path.slice(2)])
    }
    const name = path.join('.').replaceAll(/[^a-zA-Z0-9._-]+/g, '_')
    this.#elsewhere.set(name, path)
    this.add(name)
    return formatFragment(['$defs', name])
  }
}

function hasIdentifier(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return (value as readonly Json[]).some(hasIdentifier)
  return typeof (value as JsonObject).$id === 'string' || Object.values(value).some(hasIdentifier)
}

const render = (source: RenderSource, names: readonly string[]): JsonObject => {
  const definitions = new Definitions(source)
  for (const name of names) definitions.add(name)
  return definitions.gather()
}

const jsonSchema: RenderFormat = {
  id: 'json-schema',
  summary: 'JSON Schema 2020-12 with all schemas in $defs; for one schema: it and its dependencies',
  whole: (source) => ({
    $schema: dialect,
    title: source.title,
    ...(source.description === null ? {} : { description: source.description }),
    $defs: render(source, Object.keys(source.classes)),
  }),
  ofClass: (source, className) => ({
    $schema: dialect,
    title: className,
    $ref: formatFragment(['$defs', className]),
    $defs: render(source, [className]),
  }),
}

export default jsonSchema
