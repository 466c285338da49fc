/** What is answered: which attributes, lists in pages, errors, and what describes the service. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { findAttribute } from './path.ts'
import {
  type Attribute,
  type Attributes,
  enterpriseAttributes,
  enterpriseUrn,
  groupAttributes,
  groupUrn,
  type Schema,
  userAttributes,
  userUrn,
} from './resource.ts'

export const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'
export const scimMediaType = 'application/scim+json'
/** The most resources of one page. */
export const maxPage = 200
/** The most users, and the most groups, of one directory. */
export const maxResources = 20_000

/** Which attributes a client asks for, by name and by part. */
export interface Selection {
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

const always = new Set(['id', 'schemas'])
const namesOf = (text: string): string[] =>
  text
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean)

function without(resource: Record<string, Json>, schema: Schema, name: string): void {
  const named = findAttribute(schema, name)
  if (named === null) {
    for (const urn of Object.keys(schema.extensions)) if (urn.toLowerCase() === name.toLowerCase()) delete resource[urn]
    return
  }
  if (always.has(named.name)) return
  const owner = named.extension === null ? resource : { ...(resource[named.extension] as JsonObject | undefined) }
  if (named.extension !== null) resource[named.extension] = owner
  const { name: key, part } = named
  if (part === null) delete owner[key]
  else owner[key] = partsOf(owner[key], (it) => it !== part)
}

const partsOf = (value: Json | undefined, keep: (part: string) => boolean): Json => {
  const one = (it: Json): Json =>
    isObject(it) ? Object.fromEntries(Object.entries(it).filter(([key]) => keep(key))) : it
  return Array.isArray(value) ? value.map(one) : one(value ?? null)
}

/** A resource with the attributes that are asked for; id and schemas are always there (RFC 7644, section 3.9). */
export function selected(
  schema: Schema,
  resource: JsonObject,
  { attributes, excludedAttributes }: Selection,
): JsonObject {
  if (attributes === undefined || attributes.trim() === '') {
    const left: Record<string, Json> = { ...resource }
    for (const name of namesOf(excludedAttributes ?? '')) without(left, schema, name)
    return left
  }
  const found: Record<string, Json> = { schemas: resource['schemas'] ?? [], id: resource['id'] ?? null }
  for (const text of namesOf(attributes)) {
    const urn = Object.keys(schema.extensions).find((it) => it.toLowerCase() === text.toLowerCase())
    if (urn !== undefined && resource[urn] !== undefined) found[urn] = resource[urn]
    const named = findAttribute(schema, text)
    if (named === null) continue
    const { extension, name, part } = named
    const from = extension === null ? resource : resource[extension]
    const value = isObject(from) ? from[name] : undefined
    if (value === undefined) continue
    const into: Record<string, Json> = extension === null ? found : { ...(found[extension] as JsonObject | undefined) }
    const before = into[name]
    const own = part === null ? value : partsOf(value, (it) => it === part)
    into[name] = isObject(before) && isObject(own) ? { ...before, ...own } : own
    if (extension !== null) found[extension] = into
  }
  return found
}

/** A page of resources, counted from 1 (RFC 7644, section 3.4.2). */
export const listOf = (resources: readonly JsonObject[], total: number, startIndex: number): JsonObject => ({
  schemas: [listUrn],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

const described = (name: string, attribute: Attribute): JsonObject => ({
  name,
  type: attribute.type,
  multiValued: attribute.isMany === true,
  description: attribute.description,
  required: attribute.isRequired === true,
  mutability: attribute.isReadOnly === true ? 'readOnly' : 'readWrite',
  returned: name === 'id' ? 'always' : 'default',
  ...(attribute.referenceTypes === undefined ? {} : { referenceTypes: [...attribute.referenceTypes] }),
  ...(attribute.type === 'string'
    ? { caseExact: attribute.isCaseExact === true, uniqueness: attribute.isUnique === true ? 'server' : 'none' }
    : {}),
  ...(attribute.parts === undefined ? {} : { subAttributes: attributesOf(attribute.parts) }),
})
const attributesOf = (attributes: Attributes): JsonObject[] =>
  Object.entries(attributes).map(([name, it]) => described(name, it))

const metaOf = (resourceType: string, location: string): JsonObject => ({ resourceType, location })

/** What the service can do (RFC 7643, section 5). @param base the address of the interface */
export const providerConfig = (base: string): JsonObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${base.replace(/\/scim\/v2$/, '')}/docs/guides/groups`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: maxPage },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the directory, as "Authorization: Bearer TOKEN".',
      primary: true,
    },
  ],
  meta: metaOf('ServiceProviderConfig', `${base}/ServiceProviderConfig`),
})

const typeOf = (base: string, name: 'User' | 'Group', schema: string, extensions: readonly string[]): JsonObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint: `/${name}s`,
  description: name === 'User' ? 'A person of the directory.' : 'A group of the directory.',
  schema,
  schemaExtensions: extensions.map((it) => ({ schema: it, required: false })),
  meta: metaOf('ResourceType', `${base}/ResourceTypes/${name}`),
})

/** The kinds of resources (RFC 7643, section 6). */
export const resourceTypes = (base: string): JsonObject[] => [
  typeOf(base, 'User', userUrn, [enterpriseUrn]),
  typeOf(base, 'Group', groupUrn, []),
]

/** The schemas of the kinds (RFC 7643, section 7). */
export const schemas = (base: string): JsonObject[] =>
  (
    [
      [userUrn, 'User', 'A person of the directory.', userAttributes],
      [groupUrn, 'Group', 'A group of the directory.', groupAttributes],
      [enterpriseUrn, 'EnterpriseUser', 'What companies know of a person.', enterpriseAttributes],
    ] as const
  ).map(([id, name, description, attributes]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes: attributesOf(
      Object.fromEntries(Object.entries(attributes).filter(([key]) => !['id', 'externalId', 'meta'].includes(key))),
    ),
    meta: metaOf('Schema', `${base}/Schemas/${id}`),
  }))

/** The body of an error (RFC 7644, section 3.12). */
export const errorOf = (status: number, detail: string, scimType: string | undefined): JsonObject => ({
  schemas: [errorUrn],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail,
})
