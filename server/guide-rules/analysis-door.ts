/** What analysis processes use of guide rules: it reads documents, which a server's own thread never does. */
export { guideFrom } from './applicable.ts'
export { readRules } from './rules.ts'
