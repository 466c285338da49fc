/** PATCH of SCIM (RFC 7644, section 3.5.2), with what Entra ID and Okta send besides. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { ScimFailure } from './failure.ts'
import { type Filter, fitsFilter, parseFilter } from './filter.ts'
import { findAttribute, itemsOf, type Named } from './path.ts'
import { assertWhole, attributeValue, type Schema, spelling } from './resource.ts'

const maxOperations = 1000

type Op = 'add' | 'remove' | 'replace'
type Map = Record<string, Json>

interface Target {
  readonly named: Named
  /** Which items of a list are meant; null: all. */
  readonly filter: Filter | null
  readonly part: string | null
}

const invalidPath = (path: string): ScimFailure =>
  new ScimFailure('invalidPath', `"${path}" is no attribute of this resource`)

/** What a path names: an attribute, a part of it, or items of a list by a filter; null where the schema has none such. */
function targetOf(schema: Schema, path: string): Target | null {
  const open = path.indexOf('[')
  if (open < 0) {
    const named = findAttribute(schema, path)
    return named === null ? null : { named, filter: null, part: named.part }
  }
  const close = path.lastIndexOf(']')
  const named = findAttribute(schema, path.slice(0, open))
  if (named === null) return null
  const parts = named.attribute.parts
  const rest = path.slice(close + 1)
  if (close < open || parts === undefined || named.part !== null || (rest !== '' && !rest.startsWith('.')))
    throw invalidPath(path)
  const part = rest === '' ? null : spelling(parts, rest.slice(1))
  if (rest !== '' && part === null) return null
  const filter = parseFilter({ urn: '', attributes: parts, extensions: {} }, path.slice(open + 1, close))
  return { named, filter, part }
}

function ownerOf(resource: Map, { extension }: Named): Map {
  if (extension === null) return resource
  const owner = resource[extension]
  const own: Map = isObject(owner) ? { ...owner } : {}
  resource[extension] = own
  return own
}

/** Whether two items of a list are the same entry. */
const isSame = (a: Json, b: Json): boolean =>
  isObject(a) &&
  isObject(b) &&
  a['value'] !== undefined &&
  a['value'] === b['value'] &&
  (a['type'] ?? b['type']) === (b['type'] ?? a['type'])

/** Of several addresses that are marked as the main one, the last is. */
function onePrimary(items: readonly Json[], newest: readonly Json[]): readonly Json[] {
  const isMain = (it: Json): boolean => isObject(it) && it['primary'] === true
  if (!newest.some(isMain)) return items
  return items.map((it) => (isMain(it) && isObject(it) && !newest.includes(it) ? { ...it, primary: false } : it))
}

/** The part of an entry that an equality of a filter gives, for adding an entry that a filter does not find. */
const seedOf = (filter: Filter): Map =>
  filter.kind === 'compare' && filter.by === 'eq' && filter.value !== null ? { [filter.named.name]: filter.value } : {}

function changeItems(owner: Map, { named, filter, part }: Target, op: Op, value: Json): void {
  const items = itemsOf(owner[named.name])
  const isMeant = (it: Json): boolean => filter === null || (isObject(it) && fitsFilter(filter, it))
  if (op === 'remove') {
    const left =
      part === null
        ? items.filter((it) => !isMeant(it))
        : items.map((it) =>
            isMeant(it) && isObject(it) ? Object.fromEntries(Object.entries(it).filter(([key]) => key !== part)) : it,
          )
    if (left.length === 0) delete owner[named.name]
    else owner[named.name] = left
    return
  }
  const parts = named.attribute.parts ?? {}
  const given = (before: JsonObject): Json => {
    if (part === null) return attributeValue({ ...named.attribute, type: 'complex' }, named.name, value) ?? before
    const attribute = parts[part]
    const own = attribute === undefined ? undefined : attributeValue(attribute, part, value)
    return own === undefined ? before : { ...before, [part]: own }
  }
  const merged = (it: Json): Json => {
    const found = given(isObject(it) ? it : {})
    const one = Array.isArray(found) ? (found[0] ?? it) : found
    return isObject(it) && isObject(one) ? { ...it, ...one } : one
  }
  if (items.some(isMeant)) {
    const next = items.map((it) => (isMeant(it) ? merged(it) : it))
    owner[named.name] = onePrimary(
      next,
      next.filter((it, at) => it !== items[at]),
    )
    return
  }
  // Both Entra ID and Okta replace a value that is not there yet and mean to add it.
  const made = merged(filter === null ? {} : seedOf(filter))
  owner[named.name] = onePrimary([...items, made], [made])
}

function changeMany(owner: Map, { named }: Target, op: Op, value: Json): void {
  const given = itemsOf(attributeValue(named.attribute, named.name, value))
  if (op === 'replace') {
    owner[named.name] = given
    return
  }
  const kept = itemsOf(owner[named.name])
  const known = new Set(kept.map((it) => JSON.stringify(isObject(it) ? [it['value'] ?? null, it['type'] ?? null] : it)))
  const fresh = given.filter((it) => {
    const key = JSON.stringify(isObject(it) ? [it['value'] ?? null, it['type'] ?? null] : it)
    return !known.has(key)
  })
  owner[named.name] = onePrimary([...kept, ...fresh], fresh)
}

/** Okta and Entra ID remove members by listing them in the value, without a filter. */
function removeListed(owner: Map, { named }: Target, value: Json): void {
  const listed = itemsOf(attributeValue(named.attribute, named.name, value))
  const values = new Set(listed.flatMap((it) => (isObject(it) ? [it['value']] : [])))
  const left = itemsOf(owner[named.name]).filter(
    (it) => !(isObject(it) && values.has(it['value']) && listed.some((one) => isSame(one, it))),
  )
  if (left.length === 0) delete owner[named.name]
  else owner[named.name] = left
}

function changeOne(owner: Map, { named, part }: Target, op: Op, value: Json): void {
  const { name, attribute } = named
  if (part === null) {
    const own = op === 'remove' ? undefined : attributeValue(attribute, name, value)
    const before = owner[name]
    if (own === undefined) delete owner[name]
    else owner[name] = op === 'add' && isObject(own) && isObject(before) ? { ...before, ...own } : own
    return
  }
  const known = owner[name]
  const before: Map = isObject(known) ? { ...known } : {}
  const kind = attribute.parts?.[part]
  const own = op === 'remove' || kind === undefined ? undefined : attributeValue(kind, part, value)
  if (own === undefined) delete before[part]
  else before[part] = own
  if (Object.keys(before).length === 0) delete owner[name]
  else owner[name] = before
}

/** The extension that a path names as a whole; null for any other path. */
const extensionOf = (schema: Schema, path: string): string | null =>
  Object.keys(schema.extensions).find((it) => it.toLowerCase() === path.toLowerCase()) ?? null

/** Changes what an extension has: all of it, or the attributes of a value. */
function changeExtension(schema: Schema, resource: Map, op: Op, urn: string, value: Json | undefined): void {
  if (op !== 'add') delete resource[urn]
  if (op === 'remove') return
  if (!isObject(value)) throw new ScimFailure('invalidValue', `"${urn}" must be an object`)
  for (const [name, one] of Object.entries(value)) change(schema, resource, op, `${urn}:${name}`, one)
}

function change(schema: Schema, resource: Map, op: Op, path: string, value: Json | undefined): void {
  const target = targetOf(schema, path)
  // An attribute that is not kept is accepted and left out, as in a POST.
  if (target === null) return
  const { named } = target
  if (named.attribute.isReadOnly === true) {
    if (op === 'remove') throw new ScimFailure('mutability', `"${named.name}" cannot be removed`)
    return
  }
  if (op !== 'remove' && value === undefined) throw new ScimFailure('invalidValue', `"${path}" needs a value`)
  if (op === 'remove' && named.attribute.isRequired === true)
    throw new ScimFailure('mutability', `"${named.name}" is required`)
  const owner = ownerOf(resource, named)
  const given = value ?? null
  if (named.attribute.isMany !== true) changeOne(owner, target, op, given)
  else if (target.filter !== null || target.part !== null) changeItems(owner, target, op, given)
  else if (op === 'remove' && itemsOf(given).length > 0) removeListed(owner, target, given)
  else if (op === 'remove') delete owner[named.name]
  else changeMany(owner, target, op, given)
}

/** A change without a path: each attribute of its value, whose name may itself be a path (Entra ID, Okta). */
function changeAll(schema: Schema, resource: Map, op: Op, value: Json | undefined): void {
  if (op === 'remove') throw new ScimFailure('noTarget', 'a removal needs a path')
  if (!isObject(value)) throw new ScimFailure('invalidValue', 'without a path the value must be an object')
  for (const [key, own] of Object.entries(value)) {
    const urn = extensionOf(schema, key)
    if (urn === null) change(schema, resource, op, key, own)
    // Other attributes of the extension stay: a change without a path merges.
    else changeExtension(schema, resource, 'add', urn, own)
  }
}

/**
 * A kept resource after the operations of a PATCH.
 * @param body the message: `Operations` with `op`, `path` and `value`
 * @throws ScimFailure
 */
export function patchResource(schema: Schema, before: JsonObject, body: unknown): JsonObject {
  const key = isObject(body) ? Object.keys(body).find((it) => it.toLowerCase() === 'operations') : undefined
  const operations = isObject(body) && key !== undefined ? body[key] : undefined
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimFailure('invalidSyntax', 'Operations must be a list with at least one operation')
  if (operations.length > maxOperations)
    throw new ScimFailure('invalidSyntax', `a PATCH has at most ${maxOperations} operations`)
  const resource: Map = { ...before }
  for (const operation of operations) {
    if (!isObject(operation)) throw new ScimFailure('invalidSyntax', 'an operation must be an object')
    const op = String(operation['op']).toLowerCase()
    if (op !== 'add' && op !== 'remove' && op !== 'replace')
      throw new ScimFailure('invalidSyntax', `"${op.slice(0, 40)}" is no operation; it is add, remove or replace`)
    const { path, value } = operation
    const urn = typeof path === 'string' ? extensionOf(schema, path) : null
    if (path === undefined || path === null || path === '') changeAll(schema, resource, op, value)
    else if (urn !== null) changeExtension(schema, resource, op, urn, value)
    else if (typeof path === 'string') change(schema, resource, op, path, value)
    else throw new ScimFailure('invalidPath', 'a path must be a text')
  }
  assertWhole(schema, resource)
  return resource
}
