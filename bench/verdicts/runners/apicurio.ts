/** Apicurio Registry: its compatibility rule BACKWARD for JSON Schema, without the service. The library reads drafts 4, 6 and 7. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { printed, toolAt, toolFolder, type Runner } from './runner.ts'

const folder = () => toolAt('java', 'apicurio')
const name = 'apicurio-registry-schema-util-json-'

export const apicurio: Runner = {
  name: 'apicurio',
  install:
    'in bench/verdicts: mvn -f runners/apicurio.pom.xml dependency:copy-dependencies; ' +
    "javac -d .tools/java -cp '.tools/java/apicurio/*' runners/Apicurio.java",
  version: () => {
    const found = folder()
    if (found === null || toolAt('java', 'Apicurio.class') === null) return null
    if (printed(['java', '-version']) === null) return null
    const jar = readdirSync(found).find((file) => file.startsWith(name))
    return jar?.slice(name.length).replace(/\.jar$/, '') ?? null
  },
  reads: ({ direction, base, head }) =>
    direction === 'schema' && [base, head].every((path) => /draft-0[467]/.test(readFileSync(path, 'utf8'))),
  command: (base, head) => [
    'java',
    // The fastest start of a short program.
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-cp',
    `${join(toolFolder, 'java')}:${join(folder() ?? '.', '*')}`,
    'Apicurio',
    base,
    head,
  ],
  said: ({ exitCode, stdout }) => {
    const said = /^(breaking|safe)$/m.exec(stdout)?.[1]
    return exitCode === 0 && (said === 'breaking' || said === 'safe') ? said : 'failed'
  },
}
