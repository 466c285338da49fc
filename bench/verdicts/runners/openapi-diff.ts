/** openapi-diff (Java): `isIncompatible` is breaking. It compares OpenAPI 3.0 and 3.1, by its own description. */
import { ofJava, saidLine, type Runner } from './runner.ts'

export const openapiDiff: Runner = {
  name: 'openapi-diff',
  install:
    'Maven: dependency:copy-dependencies of org.openapitools.openapidiff:openapi-diff-core:2.1.2 into .tools/java/openapi-diff of bench/verdicts; ' +
    "there: javac -d .tools/java -cp '.tools/java/openapi-diff/*' runners/OpenApiDiff.java",
  ...ofJava({ folder: 'openapi-diff', jar: 'openapi-diff-core-' }, 'OpenApiDiff'),
  reads: ({ language }) => language === '3.0' || language === '3.1',
  said: saidLine,
}
