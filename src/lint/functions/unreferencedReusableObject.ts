import { isObject, type Json } from '../../kernel/json.ts'
import { parseFragment } from '../../kernel/pointer.ts'
import type { LintFunction } from '../rule.ts'
import { writtenReferences } from '../../document/written-references.ts'

const used = new WeakMap<object, ReadonlySet<string>>()

/** Every place that a reference of the document names, steps joined by line feeds. */
function usedPlaces(root: Json): ReadonlySet<string> {
  if (typeof root !== 'object' || root === null) return new Set()
  let places = used.get(root)
  if (places === undefined) {
    const into = new Set<string>()
    for (const reference of writtenReferences(root))
      into.add((parseFragment(reference.slice(reference.indexOf('#') + 1)) ?? []).join('\n'))
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

/** Every member of the object is what some reference names; `reusableObjectsLocation` says where the object is. */
const unreferencedReusableObject: LintFunction = (input, { reusableObjectsLocation }, { root }) => {
  if (!isObject(input) || typeof reusableObjectsLocation !== 'string') return []
  const location = parseFragment(reusableObjectsLocation.slice(1)) ?? []
  const places = usedPlaces(root)
  return Object.keys(input)
    .filter((name) => !places.has([...location, name].join('\n')))
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
