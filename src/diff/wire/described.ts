import type { MediaType } from '../model/api.ts'
import type { Use } from '../schema/use.ts'
import type { PlacedValue } from '../side.ts'
import { separatorOf } from './forms.ts'
import type { Spelling } from './forms.ts'

/** What parameters and headers have in common: a schema with a style, or one media type. */
interface Described {
  readonly style: string
  readonly explode: boolean
  readonly schema: PlacedValue | null
  readonly content: ReadonlyMap<string, MediaType>
}

/** How the value of a parameter or header is written. */
export const spellingOf = ({ style, explode, content }: Described): Spelling => {
  const [media] = content.keys()
  return { style, explode, media: media ?? null }
}

/** The schema of the value, wherever it is written. */
export const schemaOf = ({ schema, content }: Described): PlacedValue | null => {
  const [media] = content.values()
  return media ? media.schema : schema
}

/** What a comparison of the values has to know about their texts. */
export const textOf = (a: Described, b: Described): Pick<Use, 'text'> => ({
  text: { base: separatorOf(spellingOf(a)), head: separatorOf(spellingOf(b)) },
})
