import type { BuiltinDeclaration } from './declare.ts'
import { geojsonTypes } from './geojson.ts'
import { messageTypes } from './messages.ts'
import { objectTypes } from './objects.ts'
import { textTypes } from './texts.ts'

/** Types of outside standards, written from what these standards say. */
export const standardTypes: readonly BuiltinDeclaration[] = [
  ...textTypes,
  ...geojsonTypes,
  ...objectTypes,
  ...messageTypes,
]
