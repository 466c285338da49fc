create trigger "versions_inserted_summary" after insert on "versions" begin
  update "projects" set "summary_generation" = 0 where "id" = new."project_id";
end;
create trigger "versions_updated_summary" after update on "versions"
when (old."project_id", old."label", old."status", old."visibility", old."grade", old."format", old."created_at")
  is not (new."project_id", new."label", new."status", new."visibility", new."grade", new."format", new."created_at")
begin
  update "projects" set "summary_generation" = 0 where "id" in (old."project_id", new."project_id");
end;
create trigger "versions_deleted_summary" after delete on "versions" begin
  update "projects" set "summary_generation" = 0 where "id" = old."project_id";
end;
create trigger "projects_renamed_summary" after update on "projects" when old."name" <> new."name" begin
  update "projects" set "summary_generation" = 0 where "id" = new."id";
end;
