/** Independent judges of formats: the published schemas of SARIF and JUnit, the grammar of Atom. */
import Ajv from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RelaxNGValidator, XmlDocument, XsdValidator } from 'libxml2-wasm'

const read = (name: string): string => readFileSync(join(import.meta.dir, name), 'utf8')

const ajv = new Ajv({ strict: false, logger: false })
addFormats(ajv)
const isSarif = ajv.compile(JSON.parse(read('sarif-2.1.0.json')) as object)

/** What is wrong with a SARIF log; empty where nothing is. */
export const sarifProblems = (text: string): readonly unknown[] =>
  isSarif(JSON.parse(text)) ? [] : (isSarif.errors ?? ['refused'])

const xmlProblems = (
  judge: typeof XsdValidator | typeof RelaxNGValidator,
  schemaName: string,
  text: string,
): string => {
  const schema = XmlDocument.fromString(read(schemaName))
  const validator = judge.fromDoc(schema)
  const document = XmlDocument.fromString(text)
  try {
    validator.validate(document)
    return ''
  } catch (error) {
    return (error as Error).message
  } finally {
    validator.dispose()
    document.dispose()
    schema.dispose()
  }
}

/** What is wrong with a JUnit report; empty where nothing is. */
export const junitProblems = (text: string): string => xmlProblems(XsdValidator, 'junit.xsd', text)

/** What is wrong with an Atom feed; empty where nothing is. */
export const atomProblems = (text: string): string => xmlProblems(RelaxNGValidator, 'atom.rng', text)
