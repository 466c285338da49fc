import { expect, test } from 'bun:test'
import { failedFiles, failedTests, filesToRepeat, skippedTests, slowestOf } from '../../scripts/test-report.ts'

const suite = (file: string, failures: number, inner = ''): string =>
  `<testsuite name="${file}" file="${file}" tests="4" failures="${failures}" time="1">${inner}</testsuite>`

test('a report names each file with failed tests once', () => {
  const inner = '<testsuite name="a group" file="test/web/a.test.ts" line="3" tests="2" failures="1"></testsuite>'
  const report = [suite('test/web/a.test.ts', 2, inner), suite('test/src/b.test.ts', 0), suite('test/src/c.test.ts', 1)]
  expect(failedFiles(report.join(''))).toEqual([
    { file: 'test/web/a.test.ts', failures: 2 },
    { file: 'test/src/c.test.ts', failures: 1 },
  ])
})

test('a report names each test that failed or was skipped', () => {
  const testcase = (name: string, inside: string): string =>
    `<testcase name="${name}" classname="a" time="0.1" file="test/a.test.ts" line="3" assertions="1">${inside}</testcase>`
  const report = [
    '<testcase name="passes" classname="a" time="0.1" file="test/a.test.ts" line="1" assertions="1" />',
    testcase('fails &amp; &lt;says&gt; why', '\n  <failure type="AssertionError" />\n'),
    testcase('throws', '<error type="Error" />'),
    testcase('needs &lt;rpm&gt;', '\n  <skipped />\n'),
  ]
  expect(failedTests(report.join('\n'))).toEqual(['test/a.test.ts: fails & <says> why', 'test/a.test.ts: throws'])
  expect(skippedTests(report.join('\n'))).toEqual(['test/a.test.ts: needs <rpm>'])
})

test('at most three files are repeated', () => {
  const failed = (...names: string[]) => names.map((name) => ({ file: `test/${name}.test.ts`, failures: 1 }))
  expect(filesToRepeat(failed('web/a', 'src/b', 'cli/c'))).toEqual([
    'test/web/a.test.ts',
    'test/src/b.test.ts',
    'test/cli/c.test.ts',
  ])
  expect(filesToRepeat(failed('a', 'b', 'c', 'd'))).toEqual([])
  expect(filesToRepeat([])).toEqual([])
})

test('of measured times the slow files stay, slowest first', () => {
  const files = { 'test/a.test.ts': 4999, 'test/b.test.ts': 5000, 'test/c.test.ts': 271_499 }
  expect(JSON.parse(slowestOf(JSON.stringify({ version: 1, files })))).toEqual({
    version: 1,
    files: { 'test/c.test.ts': 271_000, 'test/b.test.ts': 5000 },
  })
  expect(
    Object.keys((JSON.parse(slowestOf(JSON.stringify({ version: 1, files }))) as { files: object }).files),
  ).toEqual(['test/c.test.ts', 'test/b.test.ts'])
})
