import { validateStructure } from '../../document/validate/structure.ts'
import type { LintFunction } from '../rule.ts'

/** The document, and what its references lead to, has the structure that its specification asks for. */
const structure: LintFunction = (_input, _options, { document, documents }) =>
  validateStructure(document, documents).map(({ message, path, document: holder }) => ({
    message,
    path,
    document: holder,
  }))
export default structure
