import { describe, expect, test } from 'bun:test'
import type { Finding } from '../../../src/lint/finding.ts'
import { junitProblems, sarifProblems } from '../../schemas/judges.ts'
import { reportFormats } from '../../../src/report/formats.gen.ts'
import type { FindingReport, ReportFormat } from '../../../src/report/report.ts'

const finding = (more: Partial<Finding>): Finding => ({
  code: 'some-rule',
  severity: 'warning',
  message: 'Say more',
  path: ['info'],
  pointer: '/info',
  source: 'api.yaml',
  range: { start: { line: 1, character: 2 }, end: { line: 1, character: 6 } },
  fingerprint: 'f1',
  documentationUrl: null,
  fix: null,
  ...more,
})

const nasty = finding({
  code: 'other-rule',
  severity: 'error',
  message: 'a <b> & "c" | 100%\nsecond, line: ]]> \u0007',
  source: 'dir with space/a,b:c.yaml',
  range: { start: { line: 0, character: 0 }, end: { line: 3, character: 1 } },
  documentationUrl: 'javascript:alert(1)',
  fingerprint: 'f2',
})
const report: FindingReport = {
  findings: [finding({}), nasty],
  grade: {
    score: 81.2,
    letter: 'B',
    cap: null,
    deductions: [{ code: 'other-rule', severity: 'error', hits: 1, targets: 4, points: 15 }],
  },
  sources: new Map([
    ['api.yaml', 'openapi: 3.1.0\ninfo: <script>\n'],
    ['clean.yaml', ''],
  ]),
  toolVersion: '9.9.9',
}
const empty: FindingReport = { findings: [], grade: null, sources: new Map(), toolVersion: '9.9.9' }
const plain = { colour: false }
const write = (id: keyof typeof reportFormats, of: FindingReport = report): string => {
  const format: ReportFormat = reportFormats[id]
  return format.findings?.(of, plain) ?? ''
}

test('every format is called as its file and has words for the help', () => {
  for (const [id, format] of Object.entries(reportFormats)) {
    expect(format.id).toBe(id)
    expect(format.summary.length).toBeGreaterThan(5)
    expect(format.mediaType).toMatch(/^[a-z]+\/[a-z+.-]+$/)
  }
})

test('text: a line per finding, then counts and grade', () => {
  expect(write('text')).toBe(
    'api.yaml:2:3  warning  some-rule  Say more\n  1 | openapi: 3.1.0\n> 2 | info: <script>\n    |   ^^^^\n\n' +
      'dir with space/a,b:c.yaml:1:1  error  other-rule  a <b> & "c" | 100% second, line: ]]> \uFFFD\n    javascript:alert(1)\n\n' +
      '1 error, 1 warning, 0 info, 0 hints. Grade B (81.2 of 100).\nQuick wins: other-rule +15.0 (1 finding: A).\n',
  )
  expect(write('text', empty)).toBe('No findings; nothing gradable.\n')
})

test('text: only the first of a rule has a frame; what reaches a place and what to do are said', () => {
  const [first, again] = [finding({ documentationUrl: 'https://example.com/r' }), finding({ fingerprint: 'f3' })]
  const more: FindingReport = {
    ...report,
    findings: [first, again],
    reach: new Map([[first, 12]]),
    remedies: new Map([['some-rule', 'Say it.']]),
  }
  expect(write('text', more)).toStartWith(
    'api.yaml:2:3  warning  some-rule  Say more (reached by 12 operations)\n  1 | openapi: 3.1.0\n> 2 | info: <script>\n    |   ^^^^\n' +
      '    help: Say it.\n    https://example.com/r\napi.yaml:2:3  warning  some-rule  Say more\n\n',
  )
})

test('codeframe: each finding with its lines; a documentation link where there is one', () => {
  expect(write('codeframe')).toBe(
    'api.yaml:2:3 warning some-rule Say more\n  1 | openapi: 3.1.0\n> 2 | info: <script>\n    |   ^^^^\n\n' +
      'dir with space/a,b:c.yaml:1:1 error other-rule a <b> & "c" | 100% second, line: ]]> \uFFFD\n    javascript:alert(1)\n\n' +
      '1 error, 1 warning, 0 info, 0 hints. Grade B (81.2 of 100).\nQuick wins: other-rule +15.0 (1 finding: A).\n',
  )
  expect(write('codeframe', empty)).toBe('No findings; nothing gradable.\n')
})

test('stylish: a block for each document', () => {
  expect(write('stylish')).toBe(
    'api.yaml\n 2:3  warning  some-rule  Say more  info\n\n' +
      'dir with space/a,b:c.yaml\n 1:1  error  other-rule  a <b> & "c" | 100% second, line: ]]> \uFFFD  info\n\n' +
      '1 error, 1 warning, 0 info, 0 hints. Grade B (81.2 of 100).\nQuick wins: other-rule +15.0 (1 finding: A).\n',
  )
  expect(write('stylish', empty)).toBe('No findings; nothing gradable.\n')
})

test('checkstyle: a file for each document, everything escaped', () => {
  expect(write('checkstyle')).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="4.3">
  <file name="api.yaml">
    <error line="2" column="3" severity="warning" message="Say more" source="some-rule"/>
  </file>
  <file name="clean.yaml">
  </file>
  <file name="dir with space/a,b:c.yaml">
    <error line="1" column="1" severity="error" message="a &lt;b&gt; &amp; &quot;c&quot; | 100% second, line: ]]&gt; \uFFFD" source="other-rule"/>
  </file>
</checkstyle>
`,
  )
  expect(write('checkstyle', empty)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n</checkstyle>\n',
  )
})

test('json and ndjson carry the findings whole', () => {
  expect(JSON.parse(write('json'))).toEqual({
    summary: {
      counts: { error: 1, warning: 1, info: 0, hint: 0 },
      grade: report.grade,
      gains: [{ code: 'other-rule', severity: 'error', hits: 1, findings: 1, points: 15, score: 100, letter: 'A' }],
      sources: ['api.yaml', 'clean.yaml'],
    },
    findings: report.findings,
  })
  expect(
    write('ndjson')
      .trimEnd()
      .split('\n')
      .map((it) => JSON.parse(it) as Finding),
  ).toEqual([...report.findings])
  expect(write('ndjson', empty)).toBe('')
})

test('spectral-json has numbers for severities and no field of ours', () => {
  expect(JSON.parse(write('spectral-json'))).toEqual([
    {
      code: 'some-rule',
      path: ['info'],
      message: 'Say more',
      severity: 1,
      range: finding({}).range,
      source: 'api.yaml',
    },
    {
      code: 'other-rule',
      path: ['info'],
      message: nasty.message,
      severity: 0,
      range: nasty.range,
      source: nasty.source,
      documentationUrl: nasty.documentationUrl,
    },
  ])
  expect(write('spectral-json', empty)).toBe('[]\n')
})

test('github-actions escapes data and properties', () => {
  expect(write('github-actions')).toBe(
    '::warning file=api.yaml,line=2,endLine=2,col=3,endColumn=7,title=some-rule::Say more\n' +
      '::error file=dir with space/a%2Cb%3Ac.yaml,line=1,endLine=4,title=other-rule::a <b> & "c" | 100%25%0Asecond, line: ]]> \uFFFD\n',
  )
  expect(write('github-actions', empty)).toBe('')
})

test('gitlab keeps fingerprints unique', () => {
  const twice = { ...report, findings: [finding({}), finding({ message: 'other' })] }
  const entries = JSON.parse(write('gitlab', twice)) as { fingerprint: string; severity: string; location: object }[]
  expect(entries.map((it) => [it.fingerprint, it.severity])).toEqual([
    ['f1', 'major'],
    ['f1-1', 'major'],
  ])
  expect(entries[0]?.location).toEqual({
    path: 'api.yaml',
    positions: { begin: { line: 2, column: 3 }, end: { line: 2, column: 7 } },
  })
  expect(write('gitlab', empty)).toBe('[]\n')
})

describe('junit', () => {
  test('one suite a document, one case a rule, everything escaped', () => {
    expect(write('junit')).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="api.yaml" package="svc" id="0" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="1" failures="1" errors="0" time="0">
    <properties/>
    <testcase name="some-rule" classname="api.yaml" time="0">
      <failure message="Say more" type="warning">api.yaml:2:3 warning: Say more</failure>
    </testcase>
    <system-out/>
    <system-err/>
  </testsuite>
  <testsuite name="clean.yaml" package="svc" id="1" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="1" failures="0" errors="0" time="0">
    <properties/>
    <testcase name="no findings" classname="clean.yaml" time="0"/>
    <system-out/>
    <system-err/>
  </testsuite>
  <testsuite name="dir with space/a,b:c.yaml" package="svc" id="2" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="1" failures="1" errors="0" time="0">
    <properties/>
    <testcase name="other-rule" classname="dir with space/a,b:c.yaml" time="0">
      <failure message="a &lt;b&gt; &amp; &quot;c&quot; | 100% second, line: ]]&gt; \uFFFD" type="error">dir with space/a,b:c.yaml:1:1 error: a &lt;b&gt; &amp; &quot;c&quot; | 100%
second, line: ]]&gt; \uFFFD</failure>
    </testcase>
    <system-out/>
    <system-err/>
  </testsuite>
</testsuites>
`,
    )
  })

  test('the empty case', () => {
    expect(write('junit', empty)).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n</testsuites>\n')
  })
})

test('sarif names rules once, points at regions that count from one, and keeps fingerprints', () => {
  const log = JSON.parse(write('sarif')) as { runs: { tool: { driver: object }; results: object[] }[] }
  expect(log.runs[0]?.tool.driver).toEqual({
    name: 'svc',
    version: '9.9.9',
    rules: [
      { id: 'some-rule', defaultConfiguration: { level: 'warning' } },
      { id: 'other-rule', helpUri: 'javascript:alert(1)', defaultConfiguration: { level: 'error' } },
    ],
  })
  expect(log.runs[0]?.results[1]).toEqual({
    ruleId: 'other-rule',
    ruleIndex: 1,
    level: 'error',
    message: { text: nasty.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'dir%20with%20space/a,b:c.yaml' },
          region: { startLine: 1, startColumn: 1, endLine: 4, endColumn: 2 },
        },
        logicalLocations: [{ fullyQualifiedName: '/info' }],
      },
    ],
    partialFingerprints: { 'svc/v1': 'f2' },
  })
})

test('SARIF contains the fix of a finding', () => {
  const fix = { description: 'Say less', edits: [{ start: 4, end: 6, text: 'x' }] }
  const log = JSON.parse(write('sarif', { ...report, findings: [finding({ fix })] })) as {
    runs: { results: { fixes: object[] }[] }[]
  }
  expect(log.runs[0]?.results[0]?.fixes).toEqual([
    {
      description: { text: 'Say less' },
      artifactChanges: [
        {
          artifactLocation: { uri: 'api.yaml' },
          replacements: [{ deletedRegion: { charOffset: 4, charLength: 2 }, insertedContent: { text: 'x' } }],
        },
      ],
    },
  ])
})

test('markdown cannot be broken out of', () => {
  expect(write('markdown')).toBe(
    '## Lint\n\n**Grade B** (81.2 of 100). 1 error, 1 warning, 0 info, 0 hints.\n\n' +
      '| Rule | Severity | Affected | Points |\n|---|---|--:|--:|\n| `other-rule` | error | 1 of 4 | −15.0 |\n\n' +
      '| Place | Severity | Rule | Message |\n|---|---|---|---|\n' +
      '| `api.yaml:2:3` | warning | `some-rule` | Say more |\n' +
      '| `dir with space/a,b:c.yaml:1:1` | error | `other-rule` | a &lt;b\\> & "c" \\| 100% second, line: \\]\\]\\> \uFFFD |\n',
  )
  expect(write('markdown', empty)).toBe('## Lint\n\n**Nothing gradable.** No findings.\n')
})

test('html holds no script, no outside address and no link that is not of the web', () => {
  const page = write('html')
  expect(page).not.toMatch(/<script|src=|href="(?!https?:)/)
  expect(page).toContain('<pre>info: &lt;script&gt;</pre>')
  expect(page).toContain('a &lt;b&gt; &amp; &quot;c&quot;')
})

test('no format has a character that steers a terminal or turns text around', () => {
  const steered = 'a\u009b31m\u202eb\u2066\u200fc\u007f'
  const odd = finding({
    source: `${steered}.yaml`,
    code: steered,
    message: steered,
    pointer: `/${steered}`,
    path: [steered],
    documentationUrl: `https://example.com/${steered}`,
  })
  const it: FindingReport = {
    ...report,
    findings: [odd],
    sources: new Map([[odd.source, `${steered}: ${steered}\n${steered}`]]),
    remedies: new Map([[steered, steered]]),
  }
  const steering = /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/
  const found = Object.keys(reportFormats).filter((id) => {
    const { findings: writes }: ReportFormat = reportFormats[id as keyof typeof reportFormats]
    return writes !== undefined && steering.test(writes(it, { colour: true }))
  })
  expect(found).toEqual([])
})

describe('what other tools judge', () => {
  const odd = [
    finding({ source: 'C:\\apis\\größe #1.yaml', message: '日本語 \u202e %0A::error::x \n</failure>' }),
    finding({ source: 'apis/ü & <b>.json', code: 'parser', severity: 'error', pointer: '', path: [] }),
    ...(['hint', 'info'] as const).map((severity) => finding({ severity, fingerprint: severity })),
  ]
  const reports: Readonly<Record<string, FindingReport>> = {
    'no finding': empty,
    'odd names': { ...report, findings: odd, sources: new Map(odd.map((it) => [it.source, null])) },
    many: {
      ...report,
      findings: Array.from({ length: 26_000 }, (_, n) =>
        finding({ severity: n < 25_500 ? 'info' : 'error', fingerprint: String(n) }),
      ),
    },
  }
  for (const [name, it] of Object.entries(reports))
    test(`${name}: SARIF and JUnit are valid`, () => {
      expect(sarifProblems(write('sarif', it))).toEqual([])
      expect(junitProblems(write('junit', it))).toBe('')
    }, 60_000)

  test('SARIF keeps the worst of too many, and says how many it left out', () => {
    const log = JSON.parse(write('sarif', reports['many'])) as {
      runs: { results: { level: string }[]; properties: { omitted: number } }[]
    }
    expect(log.runs[0]?.results.length).toBe(25_000)
    expect(log.runs[0]?.results.filter((one) => one.level === 'error').length).toBe(500)
    expect(log.runs[0]?.properties.omitted).toBe(1000)
  }, 60_000)

  test('SARIF stays below the size of uploads', () => {
    // Texts that cannot be compressed.
    const noise = (n: number): string => Bun.hash.xxHash64(String(n)).toString(36)
    const long = (n: number): string => Array.from({ length: 900 }, (_, at) => noise(n * 1000 + at)).join('')
    const findings = Array.from({ length: 1600 }, (_, n) =>
      finding({ severity: n === 1599 ? 'error' : 'hint', message: long(n), fingerprint: String(n) }),
    )
    const text = write('sarif', { ...report, findings })
    expect(Bun.gzipSync(text).byteLength).toBeLessThanOrEqual(10_000_000)
    expect(text).toContain('"level": "error"')
  }, 60_000)

  test('an annotation cannot hold another', () => {
    const lines = write('github-actions', reports['odd names'] ?? empty)
      .trimEnd()
      .split('\n')
    expect(lines.filter((line) => line.startsWith('::')).length).toBeGreaterThanOrEqual(odd.length)
    expect(lines.some((line) => line.startsWith('::error::x'))).toBe(false)
  })
})
