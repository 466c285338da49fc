import type { Analysis } from './analysis.ts'
import { conclude } from './conclude.ts'
import { recommendedGuide, recommendedRules } from '../guide-rules/door.ts'
import { judgeReading, readSubject } from './read.ts'
import { subjectOf } from './subject.ts'

/** The whole analysis of a text, at once and in this process: for tools and measurements. */
export function analyseText(
  text: string,
  {
    source,
    format,
    projectNameField,
  }: { readonly source: string; readonly format: string; readonly projectNameField: string | null },
): Analysis {
  const bytes = new TextEncoder().encode(text)
  const subject = subjectOf({ tenantId: '', digest: '', bytes, source, format, projectNameField })
  const reading = readSubject({ ...subject, bytesOf: () => bytes })
  return {
    subject,
    lintedAs: subject.key,
    ...conclude(reading, judgeReading(reading, recommendedRules), recommendedGuide),
  }
}
