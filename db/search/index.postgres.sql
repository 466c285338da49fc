create index "search_entries_words_idx" on "search_entries" using gin (array_to_tsvector(string_to_array("words", ' '))) with (fastupdate = off);
