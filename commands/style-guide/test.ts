import { dirname, resolve } from 'node:path'
import type { Document } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import {
  GuideTestFault,
  judgeGuideTest,
  readGuideTests,
  type GuideTest,
  type GuideTestOutcome,
  type GuideTests,
} from '../../src/lint/guide-tests.ts'
import { lintAndWait } from '../../src/lint/lint.ts'
import type { Ruleset } from '../../src/lint/rule.ts'
import { rules as builtin } from '../../src/lint/rules.gen.ts'
import {
  guideTestsAsData,
  guideTestsAsJunit,
  guideTestsAsText,
  type TestedGuide,
} from '../../src/report/guide-tests.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { command, type Invocation } from '../../cli/declare.ts'
import { readDocument, readDocumentsOf } from '../../cli/input/documents.ts'
import { findGuide, type ChosenGuide } from '../../cli/guide/find.ts'
import { writeOptionFile } from '../../cli/output/reports.ts'

function readTests(document: Document): GuideTests {
  try {
    return readGuideTests(document)
  } catch (error) {
    if (error instanceof GuideTestFault) throw new SvcError('usage', { reason: error.message })
    throw error
  }
}

async function runTest(test: GuideTest, guide: ChosenGuide, around: Invocation): Promise<GuideTestOutcome> {
  const { given, source } = test
  const read = 'file' in given ? await readDocument(given.file, around) : null
  const document = parseDocument(read?.text ?? ('text' in given ? given.text : ''), { source })
  const documents = read === null ? {} : await readDocumentsOf(document, around)
  return judgeGuideTest(test, (await lintAndWait(document, guide.rulesFor(source), { documents })).findings)
}

/** Files that a file of tests names are beside it. */
async function testFile(file: string, asked: string | undefined, around: Invocation): Promise<TestedGuide> {
  const { guide: named, tests } = readTests(await readDocument(file, around))
  const cwd = file === '-' ? around.cwd : dirname(resolve(around.cwd, file))
  const guide = await (asked === undefined
    ? findGuide(named ?? undefined, { ...around, cwd })
    : findGuide(asked, around))
  const outcomes: GuideTestOutcome[] = []
  for (const test of tests) outcomes.push(await runTest(test, guide, { ...around, cwd }))
  const rules: Ruleset = Object.assign({}, ...tests.map((it) => guide.rulesFor(it.source)))
  const expected = tests.flatMap((it) => it.then.map(({ rule }) => rule))
  const strange = expected.find((it) => !Object.hasOwn(rules, it) && it !== 'parser' && it !== 'invalid-ref')
  if (strange !== undefined) {
    const near = suggest(strange, Object.keys(rules))
    const meant = near === null ? '' : `; did you mean "${near}"?`
    throw new SvcError('usage', { reason: `${file}: no rule "${strange}" is on in the guide ${guide.name}${meant}` })
  }
  // What the builtin guides say is tested with them.
  const own = Object.keys(rules).filter((id) => rules[id]?.then !== builtin[id]?.then)
  return { file, guide: guide.name, outcomes, untested: own.filter((it) => !expected.includes(it)).toSorted() }
}

export default command({
  summary: 'Test a style guide with documents and their expected findings',
  description:
    'A test file names a guide and lists documents (given) with exactly the expected findings (then); [] expects none. A document is written inline, as a text, or as { file: NAME } relative to the test file. "rules" limits the comparison to these rules. Exit codes: 4 if a test fails, 2 if the tests or the guide cannot be read.',
  examples: [
    'svc style-guide test guide.test.yaml',
    'svc style-guide test rules/*.test.yaml --junit guide-tests.xml',
    'svc style-guide test guide.test.yaml --guide .spectral.yaml --json',
  ],
  arguments: [{ name: 'files', summary: 'test files, YAML or JSON', required: true, variadic: true }],
  options: {
    guide: {
      type: 'string',
      placeholder: 'NAME|FILE|URL|ID',
      summary: 'the guide to test, instead of the one in the test file',
    },
    junit: { type: 'string', placeholder: 'FILE', summary: 'also write the results as JUnit XML' },
  },
  isBounded: true,
  run: async (invocation) => {
    const { args, options, cwd, io } = invocation
    const all: TestedGuide[] = []
    for (const file of args.files) all.push(await testFile(file, options.guide, invocation))
    if (options.junit !== undefined)
      await writeOptionFile(options.junit, guideTestsAsJunit(all, new Date().toISOString()), cwd)
    const data = guideTestsAsData(all)
    const failed = data.filter((it) => !it.passed).length
    return {
      exitCode: failed > 0 ? 4 : 0,
      data,
      summary: {
        tests: data.length,
        failed,
        guides: all.map(({ file, guide, untested }) => ({ file, guide, untested })),
      },
      text: () => guideTestsAsText(all, { colour: io.colour.stdout }),
    }
  },
})
