/**
 * Entities of the kind API in the catalogue of Backstage, as `catalog-info.yaml` holds them
 * (https://backstage.io/docs/features/software-catalog/descriptor-format, "Kind: API").
 */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'

const lifecycles = ['experimental', 'production', 'deprecated'] as const
type Lifecycle = (typeof lifecycles)[number]

/** What a project and an entity both say; what an entity leaves out is absent. */
export interface CatalogFacts {
  readonly name?: string
  readonly description?: string
  readonly owner?: string
  readonly lifecycle?: Lifecycle
  readonly tags?: readonly string[]
  readonly links?: readonly { readonly title: string | null; readonly url: string }[]
}

/** Why an entity cannot be used, in one sentence that names the property. */
export class CatalogEntityError extends Error {}

const textOf = (value: Json | undefined, name: string): string | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw new CatalogEntityError(`"${name}" must be a string`)
  return value.trim() === '' ? undefined : value.trim()
}

const listOf = (value: Json | undefined, name: string): readonly Json[] | undefined => {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw new CatalogEntityError(`"${name}" must be a list`)
  return value
}

// "group:default/payments" and "payments" name the same group.
const ownerName = (reference: string): string => reference.replace(/^group:/i, '').replace(/^default\//i, '')

function linksOf(value: Json | undefined): CatalogFacts['links'] {
  return listOf(value, 'metadata.links')?.map((link, index) => {
    const name = `metadata.links[${index}]`
    if (!isObject(link)) throw new CatalogEntityError(`"${name}" must be an object`)
    const url = textOf(link.url, `${name}.url`)
    if (url === undefined || !/^https?:\/\//.test(url))
      throw new CatalogEntityError(`"${name}.url" must be an http or https URL`)
    return { title: textOf(link.title, `${name}.title`) ?? null, url }
  })
}

function lifecycleOf(value: Json | undefined): Lifecycle | undefined {
  const text = textOf(value, 'spec.lifecycle')
  if (text === undefined) return undefined
  const known = lifecycles.find((it) => it === text.toLowerCase())
  if (known === undefined)
    throw new CatalogEntityError(`"spec.lifecycle" must be one of ${lifecycles.join(', ')}, not "${text}"`)
  return known
}

/** Without the properties that have no value. */
const given = (facts: { readonly [K in keyof CatalogFacts]: CatalogFacts[K] | undefined }): CatalogFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))

/**
 * Reads the facts of one entity of the kind API or Component.
 * @throws CatalogEntityError where the entity is of another kind, or a property has another type than Backstage gives it
 */
export function readCatalogEntity(entity: Json): CatalogFacts {
  if (!isObject(entity)) throw new CatalogEntityError('an entity must be an object')
  const { kind, metadata, spec } = entity
  if (kind !== 'API' && kind !== 'Component') throw new CatalogEntityError('"kind" must be API or Component')
  if (!isObject(metadata)) throw new CatalogEntityError('"metadata" must be an object')
  const about: JsonObject = isObject(spec) ? spec : {}
  const owner = textOf(about.owner, 'spec.owner')
  return given({
    name: textOf(metadata.title, 'metadata.title'),
    description: textOf(metadata.description, 'metadata.description'),
    owner: owner === undefined ? undefined : ownerName(owner),
    lifecycle: lifecycleOf(about.lifecycle),
    tags: listOf(metadata.tags, 'metadata.tags')?.map((tag, index) => {
      const text = textOf(tag, `metadata.tags[${index}]`)
      if (text === undefined) throw new CatalogEntityError(`"metadata.tags[${index}]" must be a string`)
      return text.toLowerCase()
    }),
    links: linksOf(metadata.links),
  })
}

/** What an entity is written from. */
export interface CatalogProject {
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly owner: string | null
  readonly lifecycle: Lifecycle | null
  readonly tags: readonly string[]
  readonly links: readonly { readonly title: string | null; readonly url: string }[]
  /** Kind of its latest version: "openapi", "arazzo" …; null without one. */
  readonly format: string | null
  /** The address of its latest document; null without one. */
  readonly document: string | null
}

// Names of entities: letters, digits and -_. between them, at most 63 characters.
const entityName = (slug: string): string => slug.slice(0, 63).replace(/[-_.]+$/, '')

/** A project as an entity of the kind API. Backstage requires an owner and a lifecycle: "unknown" and "experimental" where there is none. */
export function writeCatalogEntity(project: CatalogProject): JsonObject {
  const { slug, name, description, owner, lifecycle, tags, links, format, document } = project
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'API',
    metadata: {
      name: entityName(slug),
      title: name,
      ...(description === null ? {} : { description }),
      ...(tags.length === 0 ? {} : { tags: [...tags] }),
      ...(links.length === 0
        ? {}
        : { links: links.map(({ title, url }) => ({ url, ...(title === null ? {} : { title }) })) }),
    },
    spec: {
      type: format === 'swagger' || format === null ? 'openapi' : format,
      lifecycle: lifecycle ?? 'experimental',
      owner: owner ?? 'unknown',
      definition: document === null ? '' : { $text: document },
    },
  }
}
