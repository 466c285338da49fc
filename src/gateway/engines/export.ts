import { coraza } from '../dialects/coraza.ts'
import { defineEngine } from './engine.ts'

export const exported = defineEngine({
  kind: 'export',
  name: 'export',
  title: 'Files only',
  note: 'The agent writes releases to a folder; you copy them to the gateway.',
  dialect: coraza,
})
