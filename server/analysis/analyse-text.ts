import type { Analysis } from './analysis.ts'
import { conclude } from './conclude.ts'
import { recommendedGuide, type LintGuide } from './guide.ts'
import { judgeReading, readSubject } from './read.ts'

/** The whole analysis of a text, at once and in this process: for tools and measurements. */
export function analyseText(
  text: string,
  {
    source,
    format,
    projectNameField,
    guide = recommendedGuide,
  }: {
    readonly source: string
    readonly format: string
    readonly projectNameField: string | null
    readonly guide?: LintGuide
  },
): Analysis {
  const subject = { key: '', text, source, format, projectNameField, syntax: null }
  const reading = readSubject(subject)
  const { facts, document } = reading
  return conclude({ subject, facts, authorship: {}, document }, judgeReading(reading, guide), guide)
}
