import { isObject } from '../../kernel/json.ts'
import unreferencedReusableObject from '../functions/unreferencedReusableObject.ts'
import type { LintFunction } from '../rule.ts'

const kinds = [
  ...(['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'links', 'callbacks'] as const),
]

/** The maps of components that are looked at. */
export const componentMaps = kinds.map((kind) => ['components', kind])

/** Every component is what some reference names. Security schemes are used by name and not looked at. */
const unusedComponents: LintFunction = (input, _options, context) => {
  if (!isObject(input) || !isObject(input.components)) return []
  const { components } = input
  return kinds.flatMap(
    (kind) =>
      unreferencedReusableObject(components[kind], { reusableObjectsLocation: `#/components/${kind}` }, context) ?? [],
  )
}
export default unusedComponents
