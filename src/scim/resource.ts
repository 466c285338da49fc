/** Resources as they are kept: the attributes of a schema, in its spelling; anything else is left out. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { ScimFailure } from './failure.ts'

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** An attribute of a schema. */
export interface Attribute {
  readonly type: 'string' | 'boolean' | 'complex' | 'reference'
  /** The kinds of resources that a reference is to. */
  readonly referenceTypes?: readonly ('User' | 'Group')[]
  readonly isMany?: true
  readonly isRequired?: true
  /** The service writes it; what a client sends is left out. */
  readonly isReadOnly?: true
  /** Texts are compared with the case of their letters. */
  readonly isCaseExact?: true
  readonly isUnique?: true
  readonly description: string
  readonly parts?: Attributes
}
export type Attributes = Readonly<Record<string, Attribute>>

const text = (description: string, more: Partial<Attribute> = {}): Attribute => ({
  type: 'string',
  description,
  ...more,
})
const reference = (description: string, to: 'User' | 'Group'): Attribute => ({
  type: 'reference',
  referenceTypes: [to],
  isReadOnly: true,
  description,
})
const flag = (description: string): Attribute => ({ type: 'boolean', description })

const common: Attributes = {
  id: text('Identifier that the service gave.', { isReadOnly: true, isCaseExact: true, isUnique: true }),
  externalId: text('Identifier that the directory gave.', { isCaseExact: true }),
  meta: {
    type: 'complex',
    isReadOnly: true,
    description: 'When and where the resource was made.',
    parts: {
      resourceType: text('User or Group.'),
      created: text('When it was made.'),
      lastModified: text('When it changed last.'),
      location: text('Its address.'),
    },
  },
}

export const userAttributes: Attributes = {
  ...common,
  userName: text('Name that the person signs in with, usually an address.', { isRequired: true, isUnique: true }),
  name: {
    type: 'complex',
    description: 'The name of the person in parts.',
    parts: {
      formatted: text('The whole name.'),
      familyName: text('Family name.'),
      givenName: text('Given name.'),
      middleName: text('Middle names.'),
    },
  },
  displayName: text('The name to show.'),
  nickName: text('What the person is called.'),
  title: text('Title in the company.'),
  userType: text('Kind of employment.'),
  preferredLanguage: text('Language.'),
  locale: text('Conventions of dates and numbers.'),
  timezone: text('Time zone.'),
  active: flag('Whether the person may have access. false ends it at once.'),
  emails: {
    type: 'complex',
    isMany: true,
    description: 'Addresses of the person.',
    parts: {
      value: text('The address.'),
      type: text('work, home or other.'),
      primary: flag('Whether it is the main one.'),
      display: text('How to show it.'),
    },
  },
  groups: {
    type: 'complex',
    isMany: true,
    isReadOnly: true,
    description: 'Groups that the person is in.',
    parts: {
      value: text('Id of the group.', { isCaseExact: true }),
      display: text('Its name.'),
      $ref: reference('Its address.', 'Group'),
    },
  },
}

export const enterpriseAttributes: Attributes = {
  employeeNumber: text('Number of the employee.'),
  costCenter: text('Cost center.'),
  organization: text('Organization.'),
  division: text('Division.'),
  department: text('Department.'),
  manager: {
    type: 'complex',
    description: 'The manager.',
    parts: { value: text('Id of the manager.'), displayName: text('Name of the manager.') },
  },
}

export const groupAttributes: Attributes = {
  ...common,
  displayName: text('Name of the group: what rules compare.', { isRequired: true }),
  members: {
    type: 'complex',
    isMany: true,
    description: 'Users of the directory in the group.',
    parts: {
      value: text('Id of the user.', { isCaseExact: true }),
      display: text('Name of the user.'),
      type: text('User.'),
      $ref: reference('Address of the user.', 'User'),
    },
  },
}

/** The schema of a kind of resources, with its extensions by their names. */
export interface Schema {
  readonly urn: string
  readonly attributes: Attributes
  readonly extensions: Readonly<Record<string, Attributes>>
}
export const userSchema: Schema = {
  urn: userUrn,
  attributes: userAttributes,
  extensions: { [enterpriseUrn]: enterpriseAttributes },
}
export const groupSchema: Schema = { urn: groupUrn, attributes: groupAttributes, extensions: {} }

/** The declared spelling of a name that is written in any case; null where none is declared. */
export const spelling = (names: Readonly<Record<string, unknown>>, given: string): string | null =>
  Object.hasOwn(names, given)
    ? given
    : (Object.keys(names).find((name) => name.toLowerCase() === given.toLowerCase()) ?? null)

/** What a value of an attribute is kept as; undefined for none. Entra ID writes booleans as text. */
function valueOf(attribute: Attribute, name: string, value: Json): Json | undefined {
  const wrong = (kind: string): ScimFailure => new ScimFailure('invalidValue', `"${name}" must be ${kind}`)
  if (value === null) return undefined
  if (attribute.type === 'boolean') {
    if (typeof value === 'boolean') return value
    if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
    throw wrong('true or false')
  }
  if (attribute.type === 'string' || attribute.type === 'reference') {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    if (typeof value !== 'string') throw wrong('a text')
    if (value.length > 1000) throw wrong('a text of at most 1000 characters')
    return value
  }
  // Entra ID sends the manager as the id alone, and some clients addresses as texts.
  const map = typeof value === 'string' ? { value } : value
  if (!isObject(map)) throw wrong('an object')
  return keptOf(attribute.parts ?? {}, map)
}

/** The values of one attribute as they are kept: a list where the schema has one. */
export function attributeValue(attribute: Attribute, name: string, value: Json): Json | undefined {
  if (attribute.isMany !== true) {
    if (Array.isArray(value)) throw new ScimFailure('invalidValue', `"${name}" has one value, not a list`)
    return valueOf(attribute, name, value)
  }
  if (value === null) return undefined
  const items = Array.isArray(value) ? value : [value]
  if (items.length > 20_000) throw new ScimFailure('invalidValue', `"${name}" has more than 20000 values`)
  return items.map((item) => valueOf(attribute, name, item)).filter((item) => item !== undefined)
}

function keptOf(attributes: Attributes, given: JsonObject): JsonObject {
  const kept: Record<string, Json> = {}
  for (const [key, value] of Object.entries(given)) {
    const name = spelling(attributes, key)
    const attribute = name === null ? undefined : attributes[name]
    if (name === null || attribute === undefined || attribute.isReadOnly === true) continue
    const own = attributeValue(attribute, name, value)
    if (own !== undefined) kept[name] = own
  }
  return kept
}

/**
 * A resource as it is kept: attributes that the schema does not have, and those that only the service writes, are left out.
 * @throws ScimFailure for a value of another type, or without a required attribute
 */
export function readResource(schema: Schema, given: unknown): JsonObject {
  if (!isObject(given)) throw new ScimFailure('invalidSyntax', 'the resource must be an object')
  const kept: Record<string, Json> = { ...keptOf(schema.attributes, given) }
  for (const [urn, attributes] of Object.entries(schema.extensions)) {
    const key = Object.keys(given).find((it) => it.toLowerCase() === urn.toLowerCase())
    const value = key === undefined ? undefined : given[key]
    if (isObject(value)) kept[urn] = keptOf(attributes, value)
  }
  assertWhole(schema, kept)
  return kept
}

/** @throws ScimFailure without a required attribute */
export function assertWhole({ attributes }: Schema, resource: JsonObject): void {
  for (const [name, { isRequired }] of Object.entries(attributes)) {
    const value = resource[name]
    if (isRequired === true && (typeof value !== 'string' || value.trim() === ''))
      throw new ScimFailure('invalidValue', `"${name}" is required`)
  }
}

/** The main address of a user: the primary one, else the first, else a name that is an address. */
export function addressOfUser(resource: JsonObject): string | null {
  const emails = Array.isArray(resource['emails']) ? resource['emails'].filter(isObject) : []
  const main = emails.find((it) => it['primary'] === true) ?? emails[0]
  const value = main?.['value'] ?? resource['userName']
  return typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value) ? value.toLowerCase() : null
}
