/** Documents that are dear to compare, lint or read, by shape and size; deterministic. */
import { documentShapes } from './hostile-documents.ts'
import type { Shape } from './hostile-making.ts'
import { schemaShapes } from './hostile-schemas.ts'

export const shapes: Readonly<Record<string, Shape>> = { ...schemaShapes, ...documentShapes }
