/** What a host reads about the design tools. */
export const designInstructions =
  'The tools edit, bundle, convert, example and stub work on the files of this repository. Call edit as a dry run first: it answers ' +
  'the digest, the diff and what would break; then with dry_run false and that digest as expected_digest. Ask a person before you accept a breaking change.'
