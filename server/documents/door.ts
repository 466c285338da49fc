/** What other rooms use of documents. */
export type { DocumentService } from './service.ts'
