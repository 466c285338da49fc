import { isObject } from '../../kernel/json.ts'
import type { Path } from '../../kernel/json.ts'
import { typeBit } from '../../schema/node.ts'
import type { Node, NodeFactory } from '../../schema/node.ts'
import type { View } from '../view.ts'

const [objects, arrays] = [typeBit.object, typeBit.array]

/** How a part of a value is reached from what holds it. */
export type Step =
  /** It is the same value: a branch, a member of `allOf`. */
  | { readonly to: 'same' }
  /** It is the same value, by a discriminator: the schema that refers to the part does not say so itself. */
  | { readonly to: 'heir' }
  /** `stray`: the schema that lists it allows no objects on one of the sides. */
  | { readonly to: 'property'; readonly name: string; readonly stray: boolean }
  /** A property that neither these names nor these patterns declare. */
  | { readonly to: 'other'; readonly names: readonly string[]; readonly patterns: readonly string[] }
  | { readonly to: 'item'; readonly position: number | null }

/** How the value of a part is reached that is written at `path`, in a schema that both views show. */
export const stepTo = (path: Path, base: View, head: View): Step => {
  const [word, name] = [path.at(-2), path.at(-1)]
  if (word === 'properties')
    return { to: 'property', name: String(name), stray: (base.mask & head.mask & objects) === 0 }
  if (name === 'additionalProperties')
    return {
      to: 'other',
      names: [...new Set([...base.properties.keys(), ...head.properties.keys()])],
      patterns: [base, head].flatMap((view) => {
        const found = view.words.get('patternProperties')?.value
        return isObject(found) ? Object.keys(found) : []
      }),
    }
  if (word === 'prefixItems' || (word === 'items' && typeof name === 'number'))
    return { to: 'item', position: Number(name) }
  if (name === 'items' || name === 'additionalItems') return { to: 'item', position: null }
  return { to: 'same' }
}

/** The values in which a part of this kind is a value of `part`. */
export const holding = (factory: NodeFactory, step: Step, part: Node): Node => {
  switch (step.to) {
    case 'same':
    case 'heir':
      return part
    case 'property':
      return factory.all([
        factory.types(objects),
        factory.required(step.name),
        factory.object(new Map([[step.name, part]]), [], factory.always, true),
      ])
    case 'other':
      return factory.all([
        factory.types(objects),
        factory.not(
          factory.object(
            new Map(step.names.map((name) => [name, factory.always])),
            step.patterns.map((source) => [source, factory.always] as const),
            factory.not(part),
            false,
          ),
        ),
      ])
    case 'item':
      if (step.position === null) return factory.all([factory.types(arrays), factory.contains(part, 1, Infinity)])
      return factory.all([
        factory.types(arrays),
        factory.count('minItems', step.position + 1),
        factory.items(
          Array.from({ length: step.position + 1 }, (_, i) => (i === step.position ? part : factory.always)),
          factory.always,
        ),
      ])
  }
}
