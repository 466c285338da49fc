/** Independent judges of report formats: the published schemas of SARIF and JUnit. */
import Ajv from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'

const read = (name: string): string => readFileSync(join(import.meta.dir, name), 'utf8')

const ajv = new Ajv({ strict: false, logger: false })
addFormats(ajv)
const isSarif = ajv.compile(JSON.parse(read('sarif-2.1.0.json')) as object)

/** What is wrong with a SARIF log; empty where nothing is. */
export const sarifProblems = (text: string): readonly unknown[] =>
  isSarif(JSON.parse(text)) ? [] : (isSarif.errors ?? ['refused'])

/** What is wrong with a JUnit report; empty where nothing is. */
export const junitProblems = (text: string): string => {
  const [schema, document] = [XmlDocument.fromString(read('junit.xsd')), XmlDocument.fromString(text)]
  const validator = XsdValidator.fromDoc(schema)
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
