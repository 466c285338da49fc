import type { Document } from '../../document/document.ts'
import { namesIn } from '../../document/reference-names.ts'
import type { Documents } from '../../document/reference.ts'
import { isObject, type Json, type Path } from '../../kernel/json.ts'
import { getPath, parseFragment } from '../../kernel/pointer.ts'
import type { LintFunction } from '../rule.ts'
import { writtenReferences } from '../../document/written-references.ts'

const used = new WeakMap<object, ReadonlySet<string>>()

/** The steps that lead to what a reference names, in whatever document. */
const stepsOf = (reference: string): readonly string[] =>
  parseFragment(reference.slice(reference.indexOf('#') + 1)) ?? []

/** Every place that a reference of the document names, steps joined by line feeds. */
function usedPlaces(root: Json): ReadonlySet<string> {
  if (typeof root !== 'object' || root === null) return new Set()
  let places = used.get(root)
  if (places === undefined) {
    const into = new Set<string>()
    for (const reference of writtenReferences(root)) into.add(stepsOf(reference).join('\n'))
    // A reference to a part of a place uses the place too.
    for (const place of into) {
      const steps = place.split('\n')
      for (let length = 1; length < steps.length; length++) into.add(steps.slice(0, length).join('\n'))
    }
    places = into
    used.set(root, places)
  }
  return places
}

const usedOutside = new WeakMap<Documents, Map<Document, ReadonlySet<string>>>()

/** A reference of another document that leads to this one, as the steps to what it names; null where it leads elsewhere. */
function stepsFrom(other: Document, reference: string, document: Document, documents: Documents): string[] | null {
  if (reference.startsWith('#')) return null
  // The first name that exists is meant.
  const meant = namesIn(other, reference).find(({ name }) => Object.hasOwn(documents, name))
  const isThis = meant !== undefined && documents[meant.name]?.source === document.source
  return isThis ? [...(parseFragment(meant.fragment) ?? [])] : null
}

/**
 * Every place of a document that a reference of another one names, and the places above it; steps are joined by line feeds.
 * @param documents all of them, by the names that references use
 */
export function placesUsedOutside(document: Document, documents: Documents): ReadonlySet<string> {
  let known = usedOutside.get(documents)
  if (known === undefined) usedOutside.set(documents, (known = new Map<Document, ReadonlySet<string>>()))
  const found = known.get(document)
  if (found !== undefined) return found
  const places = new Set<string>()
  for (const other of new Set(Object.values(documents))) {
    const { value } = other
    if (other.source === document.source || typeof value !== 'object' || value === null) continue
    for (const reference of writtenReferences(value)) {
      const steps = stepsFrom(other, reference, document, documents) ?? []
      for (let length = 1; length <= steps.length; length++) places.add(steps.slice(0, length).join('\n'))
    }
  }
  known.set(document, places)
  return places
}

/** Calls back with the references of each member of the maps at `locations`, and with those of the rest as those of "". */
function eachReference(
  root: Json,
  locations: readonly Path[],
  found: (owner: string, reference: string) => void,
): void {
  const maps = new Set(locations.map((it) => it.join('\n')))
  const deepest = Math.max(...locations.map((it) => it.length))
  const visit = (node: Json, path: Path): void => {
    if (typeof node !== 'object' || node === null) return
    const isMember = path.length > 0 && maps.has(path.slice(0, -1).join('\n'))
    if (isMember || path.length > deepest || !isObject(node)) {
      for (const it of writtenReferences(node)) found(isMember ? path.join('\n') : '', it)
      return
    }
    if (typeof node.$ref === 'string') found('', node.$ref)
    for (const key of Object.keys(node)) visit(node[key]!, [...path, key])
  }
  visit(root, [])
}

/**
 * The members of maps that no reference names once some of them are gone, once those are gone too, and so on. One that names itself is
 * used, as the rule has it.
 * @param locations the paths of the maps
 */
export function orphansOf(root: Json, locations: readonly Path[], removed: readonly Path[]): Path[] {
  const lengths = new Set(locations.map((it) => it.length + 1))
  const targets = new Map<string, Set<string>>()
  const uses = new Map<string, number>()
  eachReference(root, locations, (owner, reference) => {
    const steps = stepsOf(reference)
    let own = targets.get(owner)
    if (own === undefined) targets.set(owner, (own = new Set()))
    for (const length of lengths) {
      const target = steps.slice(0, length).join('\n')
      if (steps.length < length || own.has(target)) continue
      own.add(target)
      uses.set(target, (uses.get(target) ?? 0) + 1)
    }
  })
  const maps = new Set(locations.map((it) => it.join('\n')))
  const isMember = (place: string): boolean => maps.has(place.slice(0, place.lastIndexOf('\n')))
  const waiting = removed.map((it) => it.join('\n'))
  const gone = new Set(waiting)
  const orphans: Path[] = []
  for (const place of waiting)
    for (const target of targets.get(place) ?? []) {
      const left = (uses.get(target) ?? 0) - 1
      uses.set(target, left)
      if (left > 0 || gone.has(target) || !isMember(target) || getPath(root, target.split('\n')) === undefined) continue
      gone.add(target)
      waiting.push(target)
      orphans.push(target.split('\n'))
    }
  return orphans
}

/** Every member of the object is what some reference names, here or in another document; `reusableObjectsLocation` says where the object is. */
const unreferencedReusableObject: LintFunction = (
  input,
  { reusableObjectsLocation },
  { root, document, documents },
) => {
  if (!isObject(input) || typeof reusableObjectsLocation !== 'string') return []
  const location = parseFragment(reusableObjectsLocation.slice(1)) ?? []
  const places = usedPlaces(root)
  const outside = placesUsedOutside(document, documents)
  const isUsed = (place: string): boolean => places.has(place) || outside.has(place)
  return Object.keys(input)
    .filter((name) => !isUsed([...location, name].join('\n')))
    .map((name) => ({
      message: 'Potential orphaned reusable object has been detected',
      path: [...location, name],
    }))
}
export default unreferencedReusableObject

export const options = {
  type: 'object',
  additionalProperties: false,
  required: ['reusableObjectsLocation'],
  properties: { reusableObjectsLocation: { type: 'string', format: 'json-pointer-uri-fragment' } },
}
