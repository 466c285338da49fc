/** The regression cases of the OWASP Core Rule Set, as its module for Coraza has them. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { findGo, type EngineRequest } from './coraza.ts'

interface CaseFile {
  readonly rule_id: number
  readonly tests?: readonly {
    readonly test_id: number
    readonly stages: readonly {
      readonly input: {
        readonly method?: string
        readonly uri?: string
        readonly version?: string
        readonly data?: string
        readonly headers?: Readonly<Record<string, string | number>>
        readonly encoded_request?: string
      }
      readonly output: {
        readonly log?: { readonly expect_ids?: readonly number[]; readonly no_expect_ids?: readonly number[] }
      }
    }[]
  }[]
}
export interface Case {
  readonly name: string
  /** The first three digits of the rule, which are those of its file. */
  readonly file: string
  readonly request: EngineRequest
  readonly expected: readonly number[]
  readonly forbidden: readonly number[]
}

function requestOf({
  method = 'GET',
  uri = '/',
  version = 'HTTP/1.1',
  data = '',
  headers = {},
}: NonNullable<CaseFile['tests']>[number]['stages'][number]['input']): EngineRequest {
  const sent = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  const has = (wanted: string) => sent.some(([name]) => name.toLowerCase() === wanted)
  const body = Buffer.from(data)
  const completed = [
    ...(body.length > 0 && !has('content-type')
      ? [['Content-Type', 'application/x-www-form-urlencoded'] as const]
      : []),
    ...(body.length > 0 && !has('content-length') ? [['Content-Length', String(body.length)] as const] : []),
  ]
  return {
    ip: '1.2.3.4',
    method,
    uri,
    protocol: version,
    headers: [...sent, ...completed],
    body: body.toString('base64'),
  }
}

/** The cases of one request each that say which rules find something, or do not. */
export function readCases(folder: string): Case[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((it) => /REQUEST-[^/]+\/\d+\.yaml$/.test(it))
    .sort()
  return names.flatMap((name) => {
    const { rule_id: rule = 0, tests = [] } = (parse(readFileSync(join(folder, name), 'utf8')) ??
      {}) as Partial<CaseFile>
    return tests.flatMap(({ test_id: id, stages }): Case[] => {
      const [stage] = stages
      if (stage === undefined || stages.length !== 1 || stage.input.encoded_request !== undefined) return []
      const { expect_ids: expected = [], no_expect_ids: forbidden = [] } = stage.output.log ?? {}
      if (expected.length === 0 && forbidden.length === 0) return []
      return [
        { name: `${rule}-${id}`, file: String(rule).slice(0, 3), request: requestOf(stage.input), expected, forbidden },
      ]
    })
  })
}

/** Where the module for Coraza has the cases. */
export function defaultFolder(): string {
  const program = join(import.meta.dir, '../../test/gateway/oracle/policy')
  const found = spawnSync(
    findGo() ?? 'go',
    ['list', '-m', '-f', '{{.Dir}}', 'github.com/corazawaf/coraza-coreruleset/v4'],
    { cwd: program, encoding: 'utf8' },
  )
  return join(found.stdout.trim(), 'tests')
}
