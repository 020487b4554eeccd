/*
 * A printer on PAPPL for tests: takes PDF as it is and puts each document into a file. Not part of Platen. Ruled by
 * files in FOLDER/ctl: `hold` (jobs stay processing), `abort` (jobs are given up), `empty` (no paper), `pause`,
 * `pace` (pages and milliseconds a page). Everything else is PAPPL's own: queue, job history, IPP.
 *
 * usage: pappl-printer PORT FOLDER
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pappl/pappl.h>

static char folder[PATH_MAX - 64];

static bool is_told(const char *name)
{
  char path[PATH_MAX];
  snprintf(path, sizeof(path), "%s/ctl/%s", folder, name);
  return access(path, F_OK) == 0;
}

static void read_pace(int *pages, int *milliseconds)
{
  char path[PATH_MAX];
  snprintf(path, sizeof(path), "%s/ctl/pace", folder);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return;
  if (fscanf(file, "%d %d", pages, milliseconds) != 2)
    fprintf(stderr, "pace is not two numbers\n");
  fclose(file);
}

static bool keep(pappl_job_t *job)
{
  char part[PATH_MAX], whole[PATH_MAX], buffer[65536];
  snprintf(part, sizeof(part), "%s/out/%08d.part", folder, papplJobGetID(job));
  snprintf(whole, sizeof(whole), "%s/out/%08d.whole", folder, papplJobGetID(job));
  int in = open(papplJobGetFilename(job), O_RDONLY), out = open(part, O_WRONLY | O_CREAT | O_EXCL, 0600);
  ssize_t length = in < 0 || out < 0 ? -1 : 0;
  while (length >= 0 && (length = read(in, buffer, sizeof(buffer))) > 0)
    if (write(out, buffer, (size_t)length) != length)
      length = -1;
  close(in);
  close(out);
  return length == 0 && rename(part, whole) == 0;
}

/* What a finisher would be told. The output bin is left out: PAPPL 1.3 does not set options->output_bin. */
static void note_work(pappl_job_t *job, pappl_pr_options_t *options)
{
  char name[PATH_MAX];
  snprintf(name, sizeof(name), "%s/out/%08d.work", folder, papplJobGetID(job));
  FILE *note = fopen(name, "w");
  if (note == NULL)
    return;
  fprintf(note, "{\"staple\":%d,\"punch\":%d,\"source\":\"%s\",\"type\":\"%s\",\"quality\":%d,\"copies\":%d}",
          (options->finishings & PAPPL_FINISHINGS_STAPLE) != 0, (options->finishings & PAPPL_FINISHINGS_PUNCH) != 0,
          options->media.source, options->media.type, (int)options->print_quality, options->copies);
  fclose(note);
}

static bool print_file(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
  (void)device;
  note_work(job, options);
  int pages = 1, milliseconds = 0;
  read_pace(&pages, &milliseconds);
  papplJobSetImpressions(job, pages);
  while (is_told("hold") && !papplJobIsCanceled(job))
    usleep(20000);
  if (is_told("abort"))
    return false;
  /* The last page is counted by PAPPL itself, when this callback has ended well. */
  for (int page = 1; page <= pages && !papplJobIsCanceled(job); page++)
  {
    usleep((useconds_t)milliseconds * 1000);
    if (page < pages)
      papplJobSetImpressionsCompleted(job, 1);
  }
  return papplJobIsCanceled(job) || keep(job);
}

static bool tell_status(pappl_printer_t *printer)
{
  bool is_empty = is_told("empty");
  papplPrinterSetReasons(printer, is_empty ? PAPPL_PREASON_MEDIA_EMPTY : PAPPL_PREASON_NONE,
                         is_empty ? PAPPL_PREASON_NONE : PAPPL_PREASON_MEDIA_EMPTY);
  if (is_told("pause")) papplPrinterPause(printer);
  return true;
}

/* PAPPL wants these of every driver; here nothing is sent as a raster. */
static bool no_job(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device)
{
  (void)job, (void)options, (void)device;
  return false;
}
static bool no_page(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device, unsigned page)
{
  (void)page;
  return no_job(job, options, device);
}
static bool no_line(pappl_job_t *job, pappl_pr_options_t *options, pappl_device_t *device, unsigned y,
                    const unsigned char *line)
{
  (void)y, (void)line;
  return no_job(job, options, device);
}

static bool drive(pappl_system_t *system, const char *name, const char *device_uri, const char *device_id,
                  pappl_pr_driver_data_t *data, ipp_t **attributes, void *mine)
{
  (void)system, (void)name, (void)device_uri, (void)device_id, (void)attributes, (void)mine;
  snprintf(data->make_and_model, sizeof(data->make_and_model), "PAPPL test printer");
  data->format = "application/pdf";
  data->printfile_cb = print_file;
  data->status_cb = tell_status;
  data->rstartjob_cb = data->rendjob_cb = no_job;
  data->rstartpage_cb = data->rendpage_cb = no_page;
  data->rwriteline_cb = no_line;
  data->ppm = data->ppm_color = 60;
  data->color_supported = PAPPL_COLOR_MODE_AUTO | PAPPL_COLOR_MODE_COLOR | PAPPL_COLOR_MODE_MONOCHROME;
  data->color_default = PAPPL_COLOR_MODE_AUTO;
  data->raster_types = PAPPL_PWG_RASTER_TYPE_SGRAY_8 | PAPPL_PWG_RASTER_TYPE_SRGB_8;
  data->sides_supported =
      PAPPL_SIDES_ONE_SIDED | PAPPL_SIDES_TWO_SIDED_LONG_EDGE | PAPPL_SIDES_TWO_SIDED_SHORT_EDGE;
  data->sides_default = PAPPL_SIDES_ONE_SIDED;
  data->duplex = PAPPL_DUPLEX_NORMAL;
  data->num_resolution = 1;
  data->x_resolution[0] = data->y_resolution[0] = data->x_default = data->y_default = 300;
  data->left_right = data->bottom_top = 423;
  data->num_media = 1;
  data->media[0] = "iso_a4_210x297mm";
  data->num_source = 2;
  data->source[0] = "main";
  data->source[1] = "tray-2";
  data->num_type = 2;
  data->type[0] = "stationery";
  data->type[1] = "stationery-letterhead";
  data->finishings = PAPPL_FINISHINGS_STAPLE | PAPPL_FINISHINGS_PUNCH;
  data->num_bin = 2;
  data->bin[0] = "top";
  data->bin[1] = "mailbox-1";
  data->media_default = (pappl_media_col_t){.bottom_margin = 423, .left_margin = 423, .right_margin = 423,
      .top_margin = 423, .size_width = 21000, .size_length = 29700, .size_name = "iso_a4_210x297mm",
      .source = "main", .type = "stationery"};
  data->media_ready[0] = data->media_ready[1] = data->media_default;
  snprintf(data->media_ready[1].source, sizeof(data->media_ready[1].source), "tray-2");
  snprintf(data->media_ready[1].type, sizeof(data->media_ready[1].type), "stationery-letterhead");
  return true;
}

int main(int argc, char *argv[])
{
  if (argc != 3)
    return 2;
  snprintf(folder, sizeof(folder), "%s", argv[2]);
  char spool[PATH_MAX];
  snprintf(spool, sizeof(spool), "%s/spool", folder);
  pappl_system_t *system = papplSystemCreate(PAPPL_SOPTIONS_NO_TLS, "Lab", atoi(argv[1]), NULL, spool, "-",
                                             PAPPL_LOGLEVEL_INFO, NULL, false);
  pappl_pr_driver_t driver = {.name = "kept", .description = "Kept in files", .device_id = NULL};
  papplSystemSetPrinterDrivers(system, 1, &driver, NULL, NULL, drive, NULL);
  if (!papplSystemAddListeners(system, "127.0.0.1"))
    return 1;
  if (papplPrinterCreate(system, 0, "Lab", "kept", "MFG:PAPPL;MDL:Test;CMD:PDF;", "file:///dev/null") == NULL)
    return 1;
  papplSystemRun(system);
  papplSystemDelete(system);
  return 0;
}
