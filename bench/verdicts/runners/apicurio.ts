/** Apicurio Registry: its compatibility rule BACKWARD for JSON Schema, without the service. The library reads drafts 4, 6 and 7. */
import { readFileSync } from 'node:fs'
import { ofJava, saidLine, type Runner } from './runner.ts'

export const apicurio: Runner = {
  name: 'apicurio',
  install:
    'in bench/verdicts: mvn -f runners/apicurio.pom.xml dependency:copy-dependencies; ' +
    "javac -d .tools/java -cp '.tools/java/apicurio/*' runners/Apicurio.java",
  ...ofJava({ folder: 'apicurio', jar: 'apicurio-registry-schema-util-json-' }, 'Apicurio'),
  reads: ({ direction, base, head }) =>
    direction === 'schema' && [base, head].every((path) => /draft-0[467]/.test(readFileSync(path, 'utf8'))),
  said: saidLine,
}
