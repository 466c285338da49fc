import type { Conclusion } from '../analysis.ts'
import { onlyOne, type Desk } from '../desk.ts'
import { guideFrom } from '../guides.ts'
import type { LintGuide } from '../guide.ts'

/** What was found of a document, and its text where that is not what its author wrote. */
interface Looked {
  readonly conclusion: Conclusion
  readonly made: { readonly text: string; readonly syntax: 'json' | 'yaml' } | null
}

/** Reads a document and applies a guide to it. `wantsText` asks for the text that was made of several files. */
export async function run(
  { guide, wantsText }: { readonly guide: LintGuide; readonly wantsText: boolean },
  desk: Desk,
): Promise<Looked> {
  const material = onlyOne(desk)
  const conclusion = desk.engine.look(material, { ...guide, ...(await guideFrom(guide)) }, desk.pace)
  return { conclusion, made: wantsText ? desk.engine.read(material).made.made : null }
}
