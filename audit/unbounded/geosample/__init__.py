"""GeoSample on any two counts that follow each other: the same as its two counts where there are no others."""
