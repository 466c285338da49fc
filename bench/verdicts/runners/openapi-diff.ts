/** openapi-diff (Java): `isIncompatible` is breaking. It compares OpenAPI 3.0 and 3.1, by its own description. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { printed, toolAt, toolFolder, type Runner } from './runner.ts'

const folder = () => toolAt('java', 'openapi-diff')

export const openapiDiff: Runner = {
  name: 'openapi-diff',
  install:
    'Maven: dependency:copy-dependencies of org.openapitools.openapidiff:openapi-diff-core:2.1.2 into .tools/java/openapi-diff of bench/verdicts; ' +
    "there: javac -d .tools/java -cp '.tools/java/openapi-diff/*' runners/OpenApiDiff.java",
  version: () => {
    const found = folder()
    if (found === null || toolAt('java', 'OpenApiDiff.class') === null) return null
    if (printed(['java', '-version']) === null) return null
    const jar = readdirSync(found).find((name) => name.startsWith('openapi-diff-core-'))
    return jar?.replace(/^openapi-diff-core-|\.jar$/g, '') ?? null
  },
  reads: ({ language }) => language === '3.0' || language === '3.1',
  command: (base, head) => [
    'java',
    // The fastest start of a short program.
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-cp',
    `${join(toolFolder, 'java')}:${join(folder() ?? '.', '*')}`,
    'OpenApiDiff',
    base,
    head,
  ],
  said: ({ exitCode, stdout }) => {
    if (exitCode !== 0) return 'failed'
    if (/^breaking$/m.test(stdout)) return 'breaking'
    return /^safe$/m.test(stdout) ? 'safe' : 'failed'
  },
}
